/// The way of one attempt from the retries to the transport:
///
/// ```
/// request id → authorization → your middlewares → tracing → logging → masking → circuit breaker → transport
/// ```
///
/// Each step is a method that calls the next one, in the order of this file. The compiler can optimize such calls; only the
/// user's middlewares are called dynamically. A step that has nothing to do is left out.
final class AttemptSteps: Sendable {
  private let authorization: Authorization?
  private let middlewares: [any Middleware]
  private let logging: LoggingMiddleware?
  private let logOptions: LogOptions
  let breaker: CircuitBreaker?
  let transport: any HTTPTransport
  private let gate: CallGate
  private let clock: any CallClock

  init(
    _ configuration: APIConfiguration, transport: any HTTPTransport, tokens: (any TokenProvider)?, gate: CallGate,
    options: ClientOptions
  ) {
    let (clock, logOptions) = (options.clock, LogOptions(bodyBytes: configuration.logBodyBytes))
    authorization = tokens.map { Authorization(tokens: $0, clock: clock) }
    middlewares = options.middlewares
    logging = options.logger.map { LoggingMiddleware(logger: $0, clock: clock, options: logOptions) }
    self.logOptions = logOptions
    breaker = options.resilience.breaker
    self.transport = transport
    self.gate = gate
    self.clock = clock
  }

  nonisolated(nonsending) func send(
    _ request: consuming HTTPRequest, _ context: CallContext
  ) async throws -> HTTPResponse {
    request.identify(context)
    let isAuthorized = try await authorization?.authorize(&request, context) ?? false
    let response =
      middlewares.isEmpty
      ? try await sendTraced(request, context) : try await sendThroughMiddlewares(request, context, from: 0)
    if isAuthorized { authorization?.noteTime(of: response, context) }
    return response
  }

  private nonisolated(nonsending) func sendThroughMiddlewares(
    _ request: HTTPRequest, _ context: CallContext, from index: Int
  ) async throws -> HTTPResponse {
    guard index < middlewares.count else { return try await sendTraced(request, context) }
    return try await middlewares[index].intercept(request, context) { request in
      try await self.sendThroughMiddlewares(request, context, from: index + 1)
    }
  }

  private nonisolated(nonsending) func sendTraced(
    _ request: consuming HTTPRequest, _ context: CallContext
  ) async throws -> HTTPResponse {
    guard context.isTraced else { return try await sendLogged(request, context) }
    return try await CallTracing().withAttemptSpan(request, in: context) { try await self.sendLogged($0, context) }
  }

  private nonisolated(nonsending) func sendLogged(
    _ request: consuming HTTPRequest, _ context: CallContext
  ) async throws -> HTTPResponse {
    guard let logging = logging(of: context), logging.isEnabled else {
      return try await sendMasked(request, context)
    }
    return try await logging.intercept(request, context) { try await self.sendMasked($0, context) }
  }

  /// The call's own logger, or else the client's.
  private func logging(of context: CallContext) -> LoggingMiddleware? {
    guard let logger = context.options.logger else { return logging }
    return LoggingMiddleware(logger: logger, clock: clock, options: logOptions)
  }

  /// Masks the secrets of the request in error responses and transport errors, before anything else can read them.
  ///
  /// Successful responses stay as they are: in them, a token is the result.
  private nonisolated(nonsending) func sendMasked(
    _ request: consuming HTTPRequest, _ context: CallContext
  ) async throws -> HTTPResponse {
    context.sent.record(request)
    do {
      let received = try await sendToTransport(request, context)
      if received.isSuccess { return received }
      var response = received
      do {
        response.body = try await response.body.collected(upTo: SecretRedactor.largestFailure)
      } catch is HTTPBodyError {
        response.body = .empty
      }
      return context.sent.redactor(context.rpc).maskedFailure(response)
    } catch let error as TransportError {
      throw context.sent.redactor(context.rpc).masked(error)
    }
  }

  private nonisolated(nonsending) func sendToTransport(
    _ request: consuming HTTPRequest, _ context: CallContext
  ) async throws -> HTTPResponse {
    if let problem = request.headers.check() { throw APIError(.invalidArgument, problem, sent: .nothing) }
    try request.requireProtection()
    try gate.pass()
    // The breaker does not watch a call's own transport.
    if let transport = context.options.transport { return try await transport.send(request) }
    guard let breaker else { return try await transport.send(request) }
    return try await breaker.send(request, over: transport, clock)
  }
}

extension HTTPRequest {
  /// Adds the call's id as `X-Request-ID`, the same for every attempt, and an `Idempotency-Key` to calls that change
  /// something. Only the gateway gets them: other servers have no use for them.
  fileprivate mutating func identify(_ context: CallContext) {
    guard context.isForGateway else { return }
    headers["X-Request-ID"] = context.requestID
    if context.rpc.effect != .noSideEffects { headers["Idempotency-Key"] = context.idempotencyKey }
    // Checked now, so that the token, which was checked when it was created, is not checked again. The last step reports
    // a problem.
    _ = headers.check()
  }
}

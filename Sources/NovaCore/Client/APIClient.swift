public import Logging

/// Carries the calls of all services: encodes the request, sends it through the middlewares and the transport, decodes
/// the answer, and turns every failure into an ``APIError``.
///
/// One client serves a whole program; it may be used from any number of tasks, and connections are kept for as long as
/// it lives.
///
/// ```swift
/// let client = try APIClient(configuration: .load(), transport: CurlTransport())
/// let page = try await client.call(GraphRPC.getFollowers, GetFollowersRequest(userId: "mock-user-id"))
/// ```
public final class APIClient: Sendable {
  /// Environment, addresses, timeouts and flags.
  public let configuration: APIConfiguration
  /// The middlewares given by the user; the client's own stand around them, see ``Middleware``.
  public let middlewares: [any Middleware]

  private let chain: MiddlewareChain
  private let storedToken: StoredToken?
  private let clock: any CallClock
  private let makeRequestID: @Sendable () -> String

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - configuration: where the gateway is and how to speak to it.
  ///   - transport: what carries requests.
  ///   - tokens: where bearer tokens come from. Default: ``setAuthToken(_:)``, at first the configuration's token.
  ///   - middlewares: more steps for every call.
  ///   - logger: where attempts are logged, at debug level. Default: nowhere.
  ///   - clock: measures attempts.
  public convenience init(
    configuration: APIConfiguration,
    transport: any HTTPTransport,
    tokens: (any TokenProvider)? = nil,
    middlewares: [any Middleware] = [],
    logger: Logger? = nil,
    clock: any CallClock = ContinuousClock()
  ) {
    self.init(
      configuration: configuration, transport: transport, tokens: tokens, middlewares: middlewares, logger: logger,
      clock: clock, makeRequestID: { RequestID.random() })
  }

  package init(
    configuration: APIConfiguration,
    transport: any HTTPTransport,
    tokens: (any TokenProvider)?,
    middlewares: [any Middleware],
    logger: Logger?,
    clock: any CallClock,
    makeRequestID: @escaping @Sendable () -> String
  ) {
    self.configuration = configuration
    self.middlewares = middlewares
    self.clock = clock
    self.makeRequestID = makeRequestID
    storedToken = tokens == nil ? StoredToken(configuration.token) : nil
    var all: [any Middleware] = [RequestIDMiddleware()]
    if let tokens = tokens ?? storedToken { all.append(AuthorizationMiddleware(tokens: tokens)) }
    all += middlewares
    if let logger {
      let options = LogOptions(bodyBytes: configuration.logBodyBytes)
      all.append(LoggingMiddleware(logger: logger, clock: clock, options: options))
    }
    chain = MiddlewareChain(middlewares: all, transport: transport)
  }

  /// Sets the bearer token of the calls that follow; nil clears it. Without effect on a client that was given a
  /// ``TokenProvider``, which then decides.
  public func setAuthToken(_ token: AccessToken?) { storedToken?.current = token }

  /// Sets the bearer token of the calls that follow, given without the word `Bearer`.
  ///
  /// Text that cannot be a token is not kept; calls that need a token then fail with `unauthorized`, and nothing is sent.
  /// ``AccessToken/init(_:)`` tells at once. Without effect on a client that was given a ``TokenProvider``.
  public func setAuthToken(_ token: String) { storedToken?.set(token) }

  /// Calls an RPC.
  ///
  /// - Throws: ``APIError``.
  public func call<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, options: CallOptions = CallOptions()
  ) async throws -> Response {
    try await respond(rpc, request, options: options).value
  }

  /// Calls an RPC and also returns what came along with the answer.
  ///
  /// - Throws: ``APIError``.
  public func respond<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, options: CallOptions = CallOptions()
  ) async throws -> APIResponse<Response> {
    let context = newContext(rpc.descriptor, options)
    return try await perform(context, { try httpRequest(context, request) }) { body throws(ProtoJSONError) in
      try HTTPTranscoder.response(Response.self, body, rpc.descriptor.http)
    }
  }

  /// Calls an RPC of which only the descriptor is known.
  ///
  /// - Parameter request: a message of the descriptor's `requestType`.
  /// - Throws: ``APIError``.
  public func respond(
    _ rpc: RPCDescriptor, _ request: any ProtoMessage, options: CallOptions = CallOptions()
  ) async throws -> APIResponse<any ProtoMessage> {
    guard type(of: request) == rpc.requestType else {
      throw APIError(
        .invalidArgument, "expected a \(rpc.requestType.descriptor.name), got a \(type(of: request).descriptor.name)",
        rpc: rpc.id)
    }
    let context = newContext(rpc, options)
    return try await perform(context, { try httpRequest(context, request) }) { body throws(ProtoJSONError) in
      try HTTPTranscoder.response(rpc.responseType, body, rpc.http) as any ProtoMessage
    }
  }

  // MARK: The way of a call

  func newContext(_ rpc: RPCDescriptor, _ options: CallOptions, isForGateway: Bool = true) -> CallContext {
    CallContext(
      rpc: rpc, requestID: options.requestID ?? makeRequestID(), options: options, isForGateway: isForGateway)
  }

  func perform<Value: Sendable>(
    _ context: CallContext, _ request: () throws -> HTTPRequest, decode: ([UInt8]) throws(ProtoJSONError) -> Value
  ) async throws -> APIResponse<Value> {
    var attempts: [CallAttempt] = []
    do {
      let response = try await attempt(try request(), context, &attempts)
      guard response.isSuccess else { throw APIError(response) }
      let value = try decoded(response, decode)
      if let failure = (value as? any ErrorCarrying)?.error, failure.isFailure { throw APIError(failure, response) }
      return APIResponse(
        value: value, status: response.status, headers: response.headers,
        requestID: context.requestID, attempts: attempts)
    } catch {
      throw APIError(error, context, attempts)
    }
  }

  private func attempt(
    _ request: HTTPRequest, _ context: CallContext, _ attempts: inout [CallAttempt]
  ) async throws -> HTTPResponse {
    var outcome: Result<HTTPResponse, any Error> = .failure(CancellationError())
    let duration = await clock.measure {
      do {
        try Task.checkCancellation()
        outcome = .success(try await chain.send(request, context))
      } catch { outcome = .failure(error) }
    }
    switch outcome {
    case .success(let response): attempts.append(CallAttempt(duration: duration, httpStatus: response.status))
    case .failure(let error):
      attempts.append(CallAttempt(duration: duration, failure: (error as? TransportError)?.kind))
    }
    return try outcome.get()
  }

  private func httpRequest(_ context: CallContext, _ message: any ProtoMessage) throws -> HTTPRequest {
    let (rpc, options) = (context.rpc, context.options)
    if options.checksArguments, let (field, problem) = RequestRules.violation(in: message) {
      throw APIError(.invalidArgument, "\(field.jsonName) \(problem)")
    }
    let parts = try HTTPTranscoder.request(message, rpc.http)
    var limits = configuration.limits
    let timeout = options.timeout ?? rpc.timeout ?? configuration.timeout(for: rpc.service)
    limits.totalTimeout = min(timeout, limits.totalTimeout)
    var headers = options.headers
    headers["Accept"] = "application/json"
    if rpc.http.hasBody { headers["Content-Type"] = "application/json" }
    return HTTPRequest(
      method: rpc.http.method, url: configuration.baseURL(for: rpc.service) + parts.target, headers: headers,
      body: parts.body, limits: limits)
  }

  private func decoded<Value>(
    _ response: HTTPResponse, _ decode: ([UInt8]) throws(ProtoJSONError) -> Value
  ) throws -> Value {
    do {
      return try decode(response.body)
    } catch {
      let type = response.headers["Content-Type"] ?? "no content type"
      let isJSON = type.lowercased().contains("json")
      throw APIError(
        isJSON ? .decodingError : .invalidResponse,
        isJSON
          ? "the answer does not fit the contract: \(error)" : "expected a JSON answer, got \(type.shortened(to: 60))",
        httpStatus: response.status, decoding: error)
    }
  }
}

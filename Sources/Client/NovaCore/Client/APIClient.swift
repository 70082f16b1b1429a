import Logging

/// Carries the calls of all services: encodes the request, sends it through the middlewares and the transport, decodes
/// the response, and turns every failure into an ``APIError``.
///
/// One client serves a whole program; it may be used from any number of tasks, and connections are kept for as long as
/// it lives.
///
/// ```swift
/// let client = try APIClient(configuration: .load())
/// let page = try await client.call(GraphRPC.getFollowers, GetFollowersRequest(userId: "mock-user-id"))
/// ```
public final class APIClient: Sendable {
  /// Environment, addresses, timeouts and flags.
  public let configuration: APIConfiguration
  /// The user's middlewares. The client's own steps run before and after them, see ``Middleware``.
  public let middlewares: [any Middleware]

  let runner: CallRunner
  let gate = CallGate()
  /// What services share on this client, by type.
  let parts = Locked<[ObjectIdentifier: any ClientPart]>([:])
  private let storedToken: StoredToken?
  let mocking: (any MockingTransport)?
  // Whether there is one: to look at an existential, it is copied.
  private let mayMock: Bool
  /// Whether the transport ends with the client.
  private let ownsTransport: Bool
  private let gatewayName: String
  private let makeRequestID: @Sendable () -> String
  private let logger: Logger?
  /// Answers reads offline, and keeps writes until they can be sent; nil for none.
  package let store: (any CallStore)?
  private let hasStore: Bool
  /// Receives the events of what users do; nil for none.
  public let tracker: (any Tracker)?

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - configuration: the gateway's URL, timeouts, and flags.
  ///   - transport: carries requests. Several clients may share one; shut it down when the last has ended. Default: the
  ///     configuration's, see ``APIConfiguration/makeTransport()``, which ends with the client.
  ///   - tokens: where bearer tokens come from. Default: what `setAuthToken` sets, at first the configuration's token.
  ///   - change: changes the client's options. Default: each has its default.
  public convenience init(
    configuration: APIConfiguration,
    transport: (any HTTPTransport)? = nil,
    tokens: (any TokenProvider)? = nil,
    with change: (inout ClientOptions) -> Void = { _ in }
  ) {
    var options = ClientOptions()
    change(&options)
    self.init(
      configuration: configuration, transport: transport ?? configuration.makeTransport(),
      ownsTransport: transport == nil, tokens: tokens,
      options: options.resolved(for: configuration, transport: transport))
  }

  @inline(never)
  package init(
    configuration: APIConfiguration, transport: any HTTPTransport, ownsTransport: Bool,
    tokens: (any TokenProvider)?, options: ClientOptions
  ) {
    let options = options.resolved(for: configuration, transport: transport)
    self.configuration = configuration
    middlewares = options.middlewares
    makeRequestID = options.makeRequestID
    logger = options.logger
    store = options.store
    hasStore = options.store != nil
    tracker = options.tracker
    self.ownsTransport = ownsTransport
    gatewayName = configuration.gatewayName
    mocking = transport as? any MockingTransport
    mayMock = mocking != nil
    storedToken = tokens == nil ? StoredToken(configuration.token) : (tokens as? any SettableTokens)?.storedToken
    runner = CallRunner(
      configuration, transport: transport, tokens: tokens ?? storedToken, gate: gate, options: options)
    begin()
  }

  private func begin() {
    if let store {
      store.begin(with: self)
      // A session can live longer than the client.
      runner.tokens?.onSignOut { [weak self] user in
        guard let self else { return }
        await self.store?.forget(Identity(gateway: gateway, caller: .user(user)))
      }
    }
    tracker?.begin(with: self)
  }

  /// Sets the bearer token of the calls that follow; nil clears it. Without effect on a client that was given a
  /// ``TokenProvider``, which then decides; on `shared` of NovaSDK, it counts while no user is signed in.
  public func setAuthToken(_ token: AccessToken?) { storedToken?.current = token }

  /// Sets the bearer token of the calls that follow, given without the word `Bearer`.
  ///
  /// Text that cannot be a token is not kept; calls that need a token then fail with `unauthorized`, and nothing is sent.
  /// ``AccessToken/init(_:user:)`` reports it at once. Without effect on a client that was given a ``TokenProvider``.
  public func setAuthToken(_ token: String) { storedToken?.set(token) }

  /// The gateway's name in identities.
  package var gateway: String { isMocked ? APIConfiguration.mockGatewayName : gatewayName }
  /// Whether a mock backend answers now.
  var isMocked: Bool { mayMock && mocking?.isMock == true }

  // MARK: Calls

  /// Calls an RPC.
  ///
  /// - Throws: ``APIError``.
  public func call<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, options: CallOptions = CallOptions()
  ) async throws -> Response {
    if hasStore || options.needsStore { return try await respond(rpc, request, options: options).value }
    return try await send(rpc, request, options: options).value
  }

  /// Calls an RPC, and also returns the status, headers, and report.
  ///
  /// - Throws: ``APIError``.
  public func respond<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, options: CallOptions = CallOptions()
  ) async throws -> APIResponse<Response> {
    if hasStore || options.needsStore {
      let response = try await respondFromStore(rpc.descriptor, request, options: options)
      guard let value = response.value as? Response else { throw Self.wrongType(response.value, rpc.descriptor) }
      return response.with(value)
    }
    let (value, response) = try await send(rpc, request, options: options)
    return response.with(value)
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
    if hasStore || options.needsStore { return try await respondFromStore(rpc, request, options: options) }
    return try await send(rpc, request, options: options)
  }

  private nonisolated(nonsending) func respondFromStore(
    _ rpc: RPCDescriptor, _ request: any ProtoMessage, options: CallOptions
  ) async throws -> APIResponse<any ProtoMessage> {
    guard let store else { throw APIError(.failedPrecondition, Self.storeIsMissing, rpc: rpc.id) }
    let identity = try await callIdentity(rpc, options)
    var call = StoredCall(rpc, request, options: options, identity: identity)
    call.client = self
    let response = try await store.respond(to: call) { call in
      var options = call.options
      options.caller = OperationCaller(identity)
      return try await self.send(call.rpc, call.request, options: options)
    }
    options.onSource?(response.source)
    return response
  }

  /// The caller of the call that begins now, or of the operation that it is part of.
  private nonisolated(nonsending) func callIdentity(
    _ rpc: RPCDescriptor, _ options: CallOptions
  ) async throws -> Identity {
    do {
      let identity = try await identity(for: options)
      let caller = options.caller ?? OperationCaller.ofCall(by: self)
      try caller?.withCaller { caller in try caller.admit(identity) }
      return identity
    } catch {
      var error = APIError(anyFailure: error)
      error.rpc = error.rpc ?? rpc.id
      throw error
    }
  }

  private static let storeIsMissing =
    "the client has no store for `cacheOnly` and `enqueue`: create it with NovaClient(configuration:) { $0.store = … }"

  private static func wrongType(_ value: any ProtoMessage, _ rpc: RPCDescriptor) -> APIError {
    APIError(
      .failedPrecondition,
      "the store answered with a \(type(of: value).descriptor.name), not a \(rpc.responseType.descriptor.name)",
      rpc: rpc.id)
  }

  /// Calls the gateway, whatever the store has.
  private nonisolated(nonsending) func send<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, options: CallOptions
  ) async throws -> (value: Response, response: APIResponse<Void>) {
    // `Response?` makes the runtime look for its metadata in each call; a flag does not.
    var (value, isDecoded) = (Response(), false)
    let context = newContext(rpc.descriptor, options)
    let response = try await exchange(request, in: context) { body throws(ProtoJSONError) in
      let findings = try context.read(&value, from: body, to: request)
      isDecoded = true
      return findings
    }
    precondition(isDecoded, "a call that succeeds has decoded its response")
    return (value, response)
  }

  /// Calls the gateway, whatever the store has.
  package func send(
    _ rpc: RPCDescriptor, _ request: any ProtoMessage, options: CallOptions
  ) async throws -> APIResponse<any ProtoMessage> {
    var value: (any ProtoMessage)?
    let context = newContext(rpc, options)
    let response = try await exchange(request, in: context) { body throws(ProtoJSONError) in
      let (decoded, findings) = try context.response(rpc.responseType, from: body, to: request)
      value = decoded
      return findings
    }
    return response.holding(value)
  }

  /// Sends a message as an HTTP request, and reads the response with `decode`, which keeps what it reads.
  private nonisolated(nonsending) func exchange(
    _ request: any ProtoMessage, in context: CallContext, decode: CallRunner.Decoder
  ) async throws -> APIResponse<Void> {
    let rpc = context.rpc
    guard !rpc.isServerStreaming else {
      throw APIError(.invalidArgument, "\(rpc.id) streams: use stream", rpc: rpc.id)
    }
    return try await execute(
      context, timeout: configuration.timeout(for: rpc),
      request: { try configuration.request(request, in: context) }, decode: decode
    ).response
  }

  /// The clock that measures and waits.
  package var clock: any CallClock { runner.clock }
  /// 0..<1, for the jitter of waits.
  package var random: Double { runner.random() }
  /// The time on the client's clock.
  var now: ContinuousClock.Instant { runner.clock.now }

  func newContext(_ rpc: RPCDescriptor, _ options: CallOptions, isForGateway: Bool = true) -> CallContext {
    let id = makeRequestID()
    let operation = options.caller ?? OperationCaller.ofCall(by: self)
    let isMock = isMocked(in: operation)
    // Not the caller's request id: many calls may share it.
    var context = CallContext(
      CallContext.Call(
        rpc: rpc, requestID: options.requestID.orNilIfEmpty ?? id,
        idempotencyKey: options.idempotencyKey.orNilIfEmpty ?? id, options: options, isForGateway: isForGateway,
        gateway: isMock ? APIConfiguration.mockGatewayName : gatewayName, operation: operation))
    context.isTraced = CallTracing.isSetUp
    context.isMock = isMock
    #if GRPC
      // A call's own transport speaks HTTP, as for the handshake of a WebSocket connection.
      context.usesGRPC =
        isForGateway && !isMock && options.transport == nil
        && configuration.baseURL(for: rpc.service).origin.usesGRPC
    #endif
    return context
  }

  /// Whether a mock backend answers a call that begins now. An operation of a known caller stays with its gateway.
  private func isMocked(in operation: OperationCaller?) -> Bool {
    guard mayMock, let gateway = operation?.gateway else { return isMocked }
    return gateway == APIConfiguration.mockGatewayName
  }

  /// Makes a call from its beginning to its end: the deadline, the request, its attempts, and the report.
  ///
  /// Not generic, so that it is compiled once: `decode` keeps what it reads.
  ///
  /// - Parameters:
  ///   - timeout: how long the call may take if its options set no timeout.
  ///   - isOpenEnded: whether the call is a stream, which its options do not bound, and shutdown does not await.
  /// - Returns: the response, and its body. While a streamed body is neither read to its end nor dropped, the call is
  ///   under way for ``shutdown(grace:)``; its errors are those of the call.
  nonisolated(nonsending) func execute(
    _ context: CallContext, timeout: Duration, isOpenEnded: Bool = false, request: () throws -> HTTPRequest,
    decode: CallRunner.Decoder
  ) async throws -> (response: APIResponse<Void>, body: HTTPBody) {
    let clock = runner.clock
    let now = clock.moment
    let end = now.advanced(
      by: isOpenEnded ? timeout : min(context.options.timeout ?? timeout, configuration.limits.totalTimeout))
    var run = CallRun(
      context, began: now, deadline: isOpenEnded ? end : min(end, context.options.end ?? end),
      policy: context.options.retry ?? runner.policy, isOpenEnded: isOpenEnded, observers: runner.observers)
    for observer in run.observers { observer.callBegan(context.rpc) }
    do {
      try gate.enter()
      var isStreaming = false
      defer { if !isStreaming { gate.leave() } }
      let request = try request()
      let checked = try await runInCallSpan(request, as: &run, decode: decode)
      var result = APIResponse(
        value: (), status: checked.response.status, headers: checked.response.headers, report: run.report)
      // Over gRPC, a message without bytes is one whose fields all have their defaults.
      result.isBodyEmpty = checked.response.body.isEmpty && !context.usesGRPC
      result.sent = context.sent
      result.redirects = checked.response.redirects
      if let echo = checked.echo { try report(echo, in: &result, of: context) }
      for observer in run.observers { observer.callEnded(context.rpc, result.report) }
      guard case .stream(let stream) = checked.response.body else { return (result, checked.response.body) }
      isStreaming = !isOpenEnded
      return (result, body(stream, of: run, isAwaited: isStreaming))
    } catch {
      let end = clock.moment
      let error = APIError(error, run, at: end)
      let report = run.report(at: end, failure: error.code)
      for observer in run.observers { observer.callEnded(context.rpc, report) }
      throw error
    }
  }

  /// Makes the attempts of a call, in a span of its own if the program has set up tracing.
  private nonisolated(nonsending) func runInCallSpan(
    _ request: HTTPRequest, as run: inout CallRun, decode: CallRunner.Decoder
  ) async throws -> CheckedResponse {
    guard run.context.isTraced else { return try await runner.run(request, as: &run, decode: decode) }
    return try await CallTracing().withCallSpan(run.context) {
      try await runner.run(request, as: &run, decode: decode)
    }
  }

  /// The body of a streamed response, as the caller reads it.
  private func body(_ stream: HTTPBodyStream, of run: CallRun, isAwaited: Bool) -> HTTPBody {
    let (gate, clock) = (isAwaited ? gate : nil, runner.clock)
    let failure = { @Sendable (error: any Error) -> any Error in
      run.context.sent.redactor(run.context.rpc).masked(APIError(error, run, at: clock.moment))
    }
    let body = ObservedBody(.stream(stream), failure: failure) { event, byteCount in
      if case .firstChunk = event { return }
      gate?.leave()
      let report = run.report(of: event, byteCount: byteCount, at: clock.moment)
      for observer in run.observers { observer.bodyEnded(run.context.rpc, report) }
    }
    return .stream(HTTPBodyStream(body, length: stream.length))
  }

  /// Adds what a comparison has found to the report of a call.
  ///
  /// - Throws: ``APIError`` if the response cannot be used.
  private func report(
    _ echo: EchoFindings, in result: inout APIResponse<Void>, of context: CallContext
  ) throws(APIError) {
    let rpc = context.rpc
    if let record = echo.recordWithoutID { throw APIError(withoutID: record, rpc, result) }
    if let other = echo.otherRecord { throw APIError(aboutAnother: other, created: echo.record, rpc, result) }
    (result.report.warnings, result.report.changedFields) = (echo.warnings, echo.changed)
    if !echo.lost.isEmpty { throw APIError(losing: echo.lost, of: echo.record, rpc, result) }
    if !echo.warnings.isEmpty { warn(result.report, to: context.options.logger ?? logger) }
  }

  private func warn(_ report: CallReport, to logger: Logger?) {
    logger?.warning(
      "The response does not match the request",
      metadata: [
        "rpc": .string(report.rpc), "request_id": .string(report.requestID.printable(to: 80)),
        "warnings": .array(report.warnings.map { .string($0) }),
      ])
  }

  // MARK: Shutdown

  /// Ends the client: new calls fail with `cancelled`, calls in progress are awaited, and then the transport that the client
  /// made closes its connections. Nothing is sent afterward. What the client was given (a transport, a store, a tracker)
  /// remains usable for others.
  ///
  /// - Parameter grace: the maximum wait, at most a day. Calls that are still in progress then fail; over a transport that
  ///   the client was given, at their deadlines at the latest, or when you shut the transport down. Default: 30 s.
  public func shutdown(grace: Duration = .seconds(30)) async {
    await Self.shutdown([self], grace: grace)
  }

  /// Shuts down clients that share a transport. Calls of one client can depend on those of the next, so the clients stop
  /// accepting calls one after the other.
  package static func shutdown(_ clients: [APIClient], grace: Duration) async {
    guard let first = clients.first else { return }
    let clock = first.runner.clock
    let end = clock.now.advanced(by: min(max(grace, .zero), .seconds(86_400)))
    // Events are sent by calls, so before the clients close.
    for tracker in clients.compactMap(\.tracker) {
      try? await Race.run(until: end, clock, timeUp: CancellationError()) { await tracker.flush() }
    }
    for client in clients { await client.endParts() }
    for gate in clients.map(\.gate) {
      gate.close()
      try? await Race.run(until: end, clock, timeUp: CancellationError()) { await gate.waitUntilEmpty() }
      gate.seal()
    }
    for client in clients { await client.store?.end(for: client) }
    for client in clients where client.ownsTransport { await client.runner.steps.transport.shutdown() }
  }
}

extension APIConfiguration {
  /// The name of every mock backend in identities.
  static let mockGatewayName = "mock:"

  /// The gateway's name in identities.
  package var gatewayName: String {
    usesMockData ? Self.mockGatewayName : baseURL.origin.text + baseURL.path
  }
}

extension CallOptions {
  /// Whether a client without a store cannot follow them.
  fileprivate var needsStore: Bool { cache == .cacheOnly || delivery == .enqueue }
}

extension String? {
  package var orNilIfEmpty: String? { self?.isEmpty == true ? nil : self }
}

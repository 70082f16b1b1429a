/// Something that stands between a call and the transport: it may change the request, look at the response, answer by
/// itself, or call `next` more than once.
///
/// Middlewares run once for every attempt of a call, in the order of ``APIClient/middlewares``, the first one outermost.
/// Those that the client brings along stand in this order:
///
/// ```
/// call → deadline → retry → request id → authorization → yours → tracing → logging → secrecy → circuit breaker → transport
/// ```
///
/// ```swift
/// struct TenantMiddleware: Middleware {
///   func intercept(
///     _ request: HTTPRequest, _ context: CallContext, next: Next
///   ) async throws -> HTTPResponse {
///     var request = request
///     request.headers["X-Tenant"] = "blue"
///     return try await next(request)
///   }
/// }
/// ```
public protocol Middleware: Sendable {
  /// The rest of the way to the server and back.
  typealias Next = @Sendable (HTTPRequest) async throws -> HTTPResponse

  /// Takes part in a call.
  ///
  /// - Throws: whatever `next` throws; an ``APIError`` of its own reaches the caller with the call's name and id added.
  func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse
}

/// What a middleware knows of the call.
public struct CallContext: Sendable {
  /// The RPC.
  public let rpc: RPCDescriptor
  /// The id under which the call goes out.
  public let requestID: String
  /// What goes out as `Idempotency-Key` if the call changes something: the same for every attempt, and another one for
  /// every call.
  public let idempotencyKey: String
  /// What the caller decided.
  public let options: CallOptions
  /// Whether the request goes to the gateway. False for bytes that the gateway wants elsewhere, in a storage that must
  /// not see what is meant for the gateway alone, such as tokens.
  public let isForGateway: Bool
  /// When the call must be over.
  public internal(set) var deadline: ContinuousClock.Instant?
  /// The number of the attempt, counted from 1.
  public internal(set) var attempt = 1
  /// The last request that was sent, whose secrets are masked in errors and logs.
  let sent = SentRequest()

  /// Creates a context.
  ///
  /// - Parameter idempotencyKey: Default: the options' key, or else the request id.
  public init(
    rpc: RPCDescriptor, requestID: String, idempotencyKey: String? = nil, options: CallOptions = CallOptions(),
    isForGateway: Bool = true
  ) {
    self.rpc = rpc
    self.requestID = requestID
    self.idempotencyKey = idempotencyKey ?? options.idempotencyKey ?? requestID
    self.options = options
    self.isForGateway = isForGateway
  }
}

/// Middlewares and the transport behind them as one.
struct MiddlewareChain: Sendable {
  let middlewares: [any Middleware]
  let transport: any HTTPTransport
  let gate: CallGate

  func send(_ request: HTTPRequest, _ context: CallContext) async throws -> HTTPResponse {
    try await send(request, context, from: 0)
  }

  private func send(_ request: HTTPRequest, _ context: CallContext, from index: Int) async throws -> HTTPResponse {
    guard index < middlewares.count else {
      try request.headers.check()
      try gate.pass()
      return try await transport.send(request)
    }
    return try await middlewares[index].intercept(request, context) { request in
      try await send(request, context, from: index + 1)
    }
  }
}

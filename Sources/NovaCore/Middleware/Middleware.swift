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

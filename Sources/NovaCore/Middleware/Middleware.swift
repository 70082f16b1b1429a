/// A step between a call and the transport: it can change the request, observe the response, answer in place of the server,
/// or call `next` more than once.
///
/// Middlewares run once for every attempt of a call, in the order of `APIClient.middlewares`, the first one outermost. They
/// have this place among the client's own steps:
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

  /// Handles one attempt of a call.
  ///
  /// - Parameters:
  ///   - request: the request as the steps before have made it, with its token. Change a copy and pass it to `next`.
  ///   - context: the call: its RPC, request id, deadline, and options.
  ///   - next: sends the request through the remaining steps and returns the response.
  /// - Returns: the response, of the server or of your own.
  /// - Throws: whatever `next` throws; an ``APIError`` of your own reaches the caller with the call's RPC and request id.
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

extension HTTPHeaders {
  /// Refuses what no transport must be given, whatever it would do with it.
  ///
  /// - Throws: ``APIError`` with the code `invalidArgument`, naming the field but never its value.
  func check() throws(APIError) {
    for field in fields {
      if let problem = field.problem { throw APIError(.invalidArgument, "\(problem): nothing was sent") }
    }
  }
}

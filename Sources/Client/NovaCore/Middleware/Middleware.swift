/// A step between a call and the transport: it can change the request, observe the response, answer in place of the server,
/// or call `next` more than once.
///
/// Middlewares run once for every attempt of a call, in the order of `APIClient.middlewares`, the first one outermost. They
/// have this place among the client's own steps:
///
/// ```
/// call → deadline → retry → request id → authorization → yours → tracing → logging → masking → circuit breaker → transport
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
  ///   - next: sends the request through the remaining steps and returns the response. It can be kept, for example to send
  ///     a request after this call.
  /// - Returns: the response, of the server or of your own.
  /// - Throws: whatever `next` throws; an ``APIError`` of your own reaches the caller with the call's RPC and request id.
  func intercept(_ request: HTTPRequest, _ context: CallContext, next: @escaping Next) async throws -> HTTPResponse
}

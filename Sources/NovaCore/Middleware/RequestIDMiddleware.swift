/// Sends the call's id as `X-Request-ID`, the same for every attempt, and an `Idempotency-Key` with calls that change
/// something.
struct RequestIDMiddleware: Middleware {
  func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    var request = request
    request.headers["X-Request-ID"] = context.requestID
    if context.rpc.effect != .noSideEffects {
      request.headers["Idempotency-Key"] = context.idempotencyKey
    }
    return try await next(request)
  }
}

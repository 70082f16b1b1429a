/// Sends the call's id as `X-Request-ID`, the same for every attempt, and an `Idempotency-Key` with calls that change
/// something. Only the gateway gets them.
struct RequestIDMiddleware: Middleware {
  func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    // Another server has no part in the gateway's bookkeeping.
    guard context.isForGateway else { return try await next(request) }
    var request = request
    request.headers["X-Request-ID"] = context.requestID
    if context.rpc.effect != .noSideEffects {
      request.headers["Idempotency-Key"] = context.idempotencyKey
    }
    return try await next(request)
  }
}

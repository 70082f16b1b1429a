/// Masks the secrets of a request in error responses and transport errors, before anything else can read them.
///
/// Answers that succeed stay as they are: there a token is what was asked for.
struct SecrecyMiddleware: Middleware {
  func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    context.sent.record(request)
    do {
      let response = try await next(request)
      return response.isSuccess ? response : context.sent.redactor(context.rpc).maskedFailure(response)
    } catch let error as TransportError {
      throw context.sent.redactor(context.rpc).masked(error)
    }
  }
}

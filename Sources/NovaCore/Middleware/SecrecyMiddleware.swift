/// Takes the secrets of a request out of an answer that refuses it, before anybody sees what the server said.
///
/// Answers that succeed stay as they are: there a token is what was asked for.
struct SecrecyMiddleware: Middleware {
  func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    var response = try await next(request)
    if !response.isSuccess, !response.body.isEmpty {
      response.body = SentSecrets(request, context.rpc).masked(response.body)
    }
    return response
  }
}

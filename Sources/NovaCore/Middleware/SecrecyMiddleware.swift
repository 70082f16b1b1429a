/// Masks the secrets of a request in error responses and transport errors, before anything else can read them.
///
/// Successful responses stay as they are: there a token is what was asked for.
struct SecrecyMiddleware: Middleware {
  func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    context.sent.record(request)
    do {
      var response = try await next(request)
      if response.isSuccess { return response }
      do {
        response.body = try await response.body.collected(upTo: SecretRedactor.largestFailure)
      } catch is HTTPBodyError {
        response.body = .empty
      }
      return context.sent.redactor(context.rpc).maskedFailure(response)
    } catch let error as TransportError {
      throw context.sent.redactor(context.rpc).masked(error)
    }
  }
}

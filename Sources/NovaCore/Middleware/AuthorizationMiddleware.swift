/// Sends the bearer token with the RPCs that need one, and never where others could read it.
struct AuthorizationMiddleware: Middleware {
  let tokens: any TokenProvider

  func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    guard context.rpc.requiresAuthentication, context.isForGateway, let token = try await tokens.accessToken() else {
      return try await next(request)
    }
    guard BaseURL.isSafeForTokens(request.url) else {
      throw APIError(
        .insecureConnection,
        "a token is set, but \(BaseURL.origin(request.url)) is neither https nor this machine: nothing was sent. "
          + "Use an https URL, or clear the token.")
    }
    var request = request
    request.headers["Authorization"] = "Bearer \(token.secretValue)"
    return try await next(request)
  }
}

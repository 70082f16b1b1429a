public import NovaSDK

/// The user on whose behalf a request is handled: an ID that the gateway has confirmed, and all services as this user.
public struct Caller: Sendable {
  public let id: String
  public let nova: NovaClient

  /// Confirms a token with the gateway.
  ///
  /// - Parameters:
  ///   - text: the token of the incoming request.
  ///   - nova: the client of the process.
  ///   - timeLimit: how long all calls of the request may take together.
  ///   - requestID: the ID of the incoming request, which the gateway logs, too.
  /// - Throws: `APIError` `unauthorized` if the token is malformed, expired, or revoked.
  public init(
    token text: String?, on nova: NovaClient, timeLimit: Duration = .seconds(5), requestID: String
  ) async throws {
    // Without this line, a request without a token would be answered with the rights of the server itself.
    guard let text, let token = try? AccessToken(text) else { throw APIError(.unauthorized, "a token is required") }
    let deadline = ContinuousClock.now + timeLimit
    let holder = nova.with {
      $0.token = token
      $0.deadline = deadline
      $0.requestID = requestID
    }
    let claims = try await holder.auth.verifyToken(VerifyTokenRequest(token: text))
    guard claims.isValid else { throw APIError(.unauthorized, "the token is expired or revoked") }
    // The gateway has confirmed the user, so what the SDK keeps for this user also belongs to the user's next token.
    let confirmed = try AccessToken(text, user: claims.userId)
    (id, self.nova) = (claims.userId, holder.with { $0.token = confirmed })
  }
}

public import NovaCore

/// The session of a signed-in user. Its tokens are masked: `print`, `dump` and descriptions show `****`.
public struct Session: Sendable, Hashable {
  /// The token that calls carry.
  public var accessToken: AccessToken
  /// The token for requesting the next access token.
  public var refreshToken: RefreshToken
  /// When the access token expires, in Unix seconds of the server's clock.
  public var expiresAt: Int64
  /// The user. Only `id` and `email` are always set; the rest is what the server sent when the session began.
  public var user: User

  /// Creates a session from its parts.
  public init(accessToken: AccessToken, refreshToken: RefreshToken, expiresAt: Int64, user: User) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expiresAt = expiresAt
    self.user = user
  }
}

extension Session: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The user and the expiry; never a token.
  public var description: String {
    "Session(user: \(user.id.printable(to: 80)), expiresAt: \(expiresAt), tokens: \(SecretText.mask))"
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror {
    Mirror(self, children: ["user": user, "expiresAt": expiresAt, "tokens": SecretText.mask], displayStyle: .struct)
  }
}

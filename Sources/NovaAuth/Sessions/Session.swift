public import NovaCore

/// Somebody who is signed in. Its tokens do not show themselves: `print`, `dump` and descriptions give `****`.
public struct Session: Sendable, Hashable {
  /// What calls are made with.
  public var accessToken: AccessToken
  /// What the next access token is got with.
  public var refreshToken: RefreshToken
  /// When the access token expires, in Unix seconds of the server's clock.
  public var expiresAt: Int64
  /// Who it is. Only `id` and `email` are sure to be there; the rest is what the server told when the session began.
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
  /// Whose session, and until when; never a token.
  public var description: String {
    "Session(user: \(user.id.printable(to: 80)), expiresAt: \(expiresAt), tokens: \(SecretText.mask))"
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror {
    Mirror(self, children: ["user": user, "expiresAt": expiresAt, "tokens": SecretText.mask], displayStyle: .struct)
  }
}

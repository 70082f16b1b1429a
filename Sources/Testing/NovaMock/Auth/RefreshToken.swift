import NovaCore

/// The content of a refresh token, which is opaque to clients.
struct RefreshToken: Sendable, Hashable {
  static let lifetime: Int64 = 30 * 86_400

  var session: SessionID
  var expiresAt: Int64

  /// Returns the signed token.
  func text(_ key: SigningKey) throws(MockFailure) -> String {
    let content = Base64.encodeForURL(Array("\(session.number) \(expiresAt) \(session.user)".utf8))
    return "\(content).\(try key.signature(of: Self.signed(content)))"
  }
}

extension RefreshToken {
  /// Reads a token, which may be expired; nil unless it was signed with `key`.
  init?(_ text: String, _ key: SigningKey) throws(MockFailure) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, try key.isSignature(parts[1], of: Self.signed(parts[0])),
      let bytes = Base64.decode(String(parts[0]))
    else { return nil }
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 2)
    guard fields.count == 3, let number = Int(fields[0]), let expiresAt = Int64(fields[1]) else { return nil }
    self.init(session: SessionID(user: String(fields[2]), number: number), expiresAt: expiresAt)
  }

  /// The signed text. Its prefix prevents part of an access token from passing as a refresh token.
  private static func signed(_ content: some StringProtocol) -> String { "refresh \(content)" }
}

/// The id of a session, whose tokens are revoked together.
struct SessionID: Sendable, Hashable {
  @ExactText var user: String
  var number: Int

  /// The `sid` of the session's access tokens.
  var claim: String { "\(Self.prefix)\(number)" }
  private static let prefix = "session-"
}

extension SessionID {
  /// Reads the `sid` of an access token.
  init?(_ claim: String, user: String) {
    guard claim.hasPrefix(Self.prefix), let number = Int(claim.dropFirst(Self.prefix.count)) else { return nil }
    self.init(user: user, number: number)
  }
}

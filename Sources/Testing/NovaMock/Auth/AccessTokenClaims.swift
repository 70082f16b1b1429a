import NovaCore

/// The claims of an access token, which is a JSON Web Token (RFC 7519) signed with HS256.
struct AccessTokenClaims: Sendable, Hashable {
  static let issuer = "nova-mock"
  static let lifetime: Int64 = 3600
  /// By how many seconds a token may be from the future, as when the machine's clock was set back a little.
  static let tolerance: Int64 = 60
  private static let header = Base64.encodeForURL(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))

  var session: SessionID
  /// The unique id of the token (`jti`): a token renewed within the same second differs, too.
  var id: String
  var email: String
  var username: String
  var issuedAt: Int64

  var expiresAt: Int64 { issuedAt + Self.lifetime }

  /// Whether the token has been issued and has not expired at a time. A clock that went back is before its issue.
  func isCurrent(at now: Int64) -> Bool { !isFuture(at: now) && now < expiresAt }

  func isFuture(at now: Int64) -> Bool { issuedAt > now + Self.tolerance }

  /// Returns the signed token.
  func token(_ key: SigningKey) throws(MockFailure) -> String {
    let content = "\(Self.header).\(Base64.encodeForURL(json.jsonUTF8))"
    return "\(content).\(try key.signature(of: content))"
  }

  private var json: JSONValue {
    [
      "iss": .string(Self.issuer), "sub": .string(session.user), "email": .string(email),
      "username": .string(username), "iat": .number(Int(issuedAt)), "exp": .number(Int(expiresAt)),
      "sid": .string(session.claim), "jti": .string(id),
    ]
  }
}

extension AccessTokenClaims {
  /// Reads the claims of a token, which may be expired; nil unless it was signed with `key`.
  init?(_ token: String, _ key: SigningKey) throws(MockFailure) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    // Accept only the header that this type writes: a token must not choose its own algorithm.
    guard parts.count == 3, parts[0] == Self.header,
      try key.isSignature(parts[2], of: "\(parts[0]).\(parts[1])"),
      let bytes = Base64.decode(String(parts[1])), let json = try? JSONValue(jsonUTF8: bytes)
    else { return nil }
    self.init(json)
  }

  private init?(_ json: JSONValue) {
    guard let user = json["sub"]?.stringValue, let email = json["email"]?.stringValue,
      let username = json["username"]?.stringValue, let issuedAt = json["iat"]?.integerValue,
      let session = json["sid"]?.stringValue.flatMap({ SessionID($0, user: user) }),
      let id = json["jti"]?.stringValue
    else { return nil }
    self.init(session: session, id: id, email: email, username: username, issuedAt: Int64(issuedAt))
  }
}

/// A bearer token that does not show itself: descriptions, `print` and `dump` give `****`.
public struct AccessToken: Sendable, Hashable {
  // One reference: options with a token are copied for each service and each call.
  private final class Content: Sendable {
    let secretValue: String
    let authorization: String
    let user: String?

    init(_ secretValue: String, authorization: String, user: String?) {
      self.secretValue = secretValue
      self.authorization = authorization
      self.user = user
    }
  }

  private let content: Content

  /// The token in plain text. Put it into the `Authorization` header and nowhere else.
  public var secretValue: String { content.secretValue }

  /// The ID of the token's user, if it is known; nil if only the token itself tells users apart. Not part of equality.
  public var user: String? { content.user }

  /// The value of the `Authorization` header, which every call with this token sends. It contains nothing that a header
  /// must not contain.
  var authorization: String { content.authorization }

  /// Wraps a token, given without the word `Bearer`.
  ///
  /// - Parameters:
  ///   - secretValue: the token.
  ///   - user: the ID of the token's user, if you know it from a source you trust: a session, or a signature you have
  ///     verified. What the SDK stores for the user is then found again with the user's next token. Never pass what an
  ///     unverified token claims: its sender would be shown what is stored for that user. Default: unknown.
  /// - Throws: ``ConfigurationError`` when it is empty or holds anything but visible ASCII characters, so that no line
  ///   break can reach a header. The error does not show the token.
  public init(_ secretValue: String, user: String? = nil) throws(ConfigurationError) {
    guard Self.isValid(secretValue) else {
      throw ConfigurationError(
        key: "token", value: secretValue.isEmpty ? "empty" : SecretText.mask, source: .code,
        expected: Self.expectation)
    }
    content = Content(secretValue, authorization: "Bearer \(secretValue)", user: user.orNilIfEmpty)
  }

  private init(_ content: Content) { self.content = content }

  /// The credentials of an `Authorization` header; of other schemes than `Bearer`, all of its value.
  fileprivate init(header value: String) {
    let value = String(value.drop { $0 == " " })
    let isBearer = value.prefix(7).lowercased() == "bearer "
    content = Content(isBearer ? String(value.dropFirst(7).drop { $0 == " " }) : value, authorization: value, user: nil)
  }

  /// The same token, known as that of a user.
  package func belonging(to user: String?) -> AccessToken {
    if content.user.hasSameBytes(as: user.orNilIfEmpty) { return self }
    return AccessToken(Content(secretValue, authorization: authorization, user: user.orNilIfEmpty))
  }

  public static func == (left: AccessToken, right: AccessToken) -> Bool {
    left.content === right.content || left.secretValue.hasSameBytes(as: right.secretValue)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(bytesOf: secretValue) }

  static let expectation =
    "a token of visible ASCII characters, without spaces, line breaks or the word Bearer"

  static func isValid(_ text: String) -> Bool {
    !text.isEmpty && text.consists(of: .visible)
  }
}

extension HTTPHeaders {
  /// The token of the field `Authorization`, whose user is unknown; nil without the field.
  var authorizationToken: AccessToken? { self["Authorization"].map { AccessToken(header: $0) } }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { SecretText.mask }
  public var debugDescription: String { SecretText.mask }
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// A bearer token that does not show itself: descriptions, `print` and `dump` give `****`.
public struct AccessToken: Sendable, Hashable {
  /// The token in plain text. Put it into the `Authorization` header and nowhere else.
  public let secretValue: String
  /// The value of the `Authorization` header, which every call with this token sends. It contains nothing that a header
  /// must not contain.
  let authorization: String

  /// Wraps a token, given without the word `Bearer`.
  ///
  /// - Throws: ``ConfigurationError`` when it is empty or holds anything but visible ASCII characters, so that no line
  ///   break can reach a header. The error does not show the token.
  public init(_ secretValue: String) throws(ConfigurationError) {
    guard Self.isValid(secretValue) else {
      throw ConfigurationError(
        key: "token", value: secretValue.isEmpty ? "empty" : SecretText.mask, source: .code,
        expected: Self.expectation)
    }
    self.secretValue = secretValue
    authorization = "Bearer \(secretValue)"
  }

  public static func == (left: AccessToken, right: AccessToken) -> Bool { left.secretValue == right.secretValue }

  public func hash(into hasher: inout Hasher) { hasher.combine(secretValue) }

  static let expectation =
    "a token of visible ASCII characters, without spaces, line breaks or the word Bearer"

  static func isValid(_ text: String) -> Bool {
    !text.isEmpty && text.consists(of: .visible)
  }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { SecretText.mask }
  public var debugDescription: String { SecretText.mask }
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

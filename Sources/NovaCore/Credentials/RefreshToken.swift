/// What a new access token is got with: a secret that does not show itself, as ``AccessToken`` does not.
public struct RefreshToken: Sendable, Hashable {
  /// The token in plain text. Put it into the body of a request and nowhere else.
  public let secretValue: String

  /// Wraps a token; nil for an empty text, which is none.
  public init?(_ secretValue: String) {
    guard !secretValue.isEmpty else { return nil }
    self.secretValue = secretValue
  }
}

extension RefreshToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { SecretText.mask }
  public var debugDescription: String { SecretText.mask }
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

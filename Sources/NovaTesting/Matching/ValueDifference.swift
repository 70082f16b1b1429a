import NovaCore

/// One place in which two JSON values differ. Secrets are masked.
public struct ValueDifference: Sendable, Hashable, CustomStringConvertible {
  /// Where: `likes[2].user_id`.
  public let path: String
  /// What should be there; nil for nothing.
  public let expected: String?
  /// What is there; nil for nothing.
  public let actual: String?

  init(path: String, expected: JSONValue?, actual: JSONValue?, isSecret: Bool) {
    self.path = path.isEmpty ? "(all of it)" : path
    self.expected = expected.map { Self.text($0, isSecret) }
    self.actual = actual.map { Self.text($0, isSecret) }
  }

  /// `limit: expected 10, got 20`
  public var description: String { "\(path): expected \(expected ?? "nothing"), got \(actual ?? "nothing")" }

  private static func text(_ value: JSONValue, _ isSecret: Bool) -> String {
    if case .string(let text) = value, text.isEmpty || SecretPlaceholder(text) != nil { return "\"\(text)\"" }
    if isSecret { return "a secret" }
    return String(decoding: masked(value).jsonUTF8, as: UTF8.self).shortened(to: 160)
  }

  private static func masked(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      .object(
        members.map { member in
          let isSecret = SecretText.isSecret(name: member.name)
          return JSONValue.Member(name: member.name, value: isSecret ? .string("a secret") : masked(member.value))
        })
    case .array(let elements): .array(elements.map(masked))
    case .string(let text) where SecretText.looksLikeToken(text): .string("a secret")
    default: value
    }
  }
}

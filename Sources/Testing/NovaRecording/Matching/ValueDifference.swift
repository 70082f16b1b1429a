public import NovaCore

/// A difference between two JSON values. Secrets are masked.
public struct ValueDifference: Sendable, Hashable, CustomStringConvertible {
  /// The path: `likes[2].user_id`.
  public let path: String
  /// The expected value; nil for none.
  public let expected: String?
  /// The actual value; nil for none.
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
    return String(decoding: SecretText.masked(value, with: "a secret").jsonUTF8, as: UTF8.self).shortened(to: 160)
  }
}

extension ProtoMessage {
  /// Returns the differences from an expected message; empty if they are equal.
  ///
  /// ```swift
  /// #expect(page.differences(from: GetFollowersResponse(userIds: ["a"], totalCount: 1)) == [])
  /// ```
  ///
  /// - Parameter expected: the expected message.
  /// - Throws: ``ProtoJSONError`` for a value that the contract's type cannot represent.
  public func differences(from expected: Self) throws(ProtoJSONError) -> [ValueDifference] {
    try differences(fromJSON: try expected.jsonUTF8())
  }

  /// Returns the differences from a gateway's JSON; empty if both have the same meaning.
  ///
  /// The JSON is decoded by the contract's rules: an absent field equals its default, `"5"` equals 5, names can have
  /// either style. Unknown fields count as differences.
  ///
  /// - Parameter expected: the expected JSON in UTF-8.
  /// - Throws: ``ProtoJSONError`` when the JSON does not fit the message's type.
  public func differences(fromJSON expected: [UInt8]) throws(ProtoJSONError) -> [ValueDifference] {
    let other = try Self(jsonUTF8: expected)
    let raw = try JSONValue(jsonUTF8: expected)
    let canonical = ContractMessages.nova.canonical(other, raw: raw) ?? raw
    return try JSONValue(jsonUTF8: try jsonUTF8())
      .valueDifferences(from: canonical, secretNames: SecretText.names(in: Self.self))
  }
}

extension JSONValue {
  /// The places in which this value differs from the expected one; empty if they are equal.
  ///
  /// - Parameters:
  ///   - expected: the expected value.
  ///   - path: the path of the value in what is compared: `rpc`. Default: the whole.
  ///   - secretNames: the names of members with secrets, besides those that are obvious, as ``SecretText/plain(_:)``
  ///     returns them.
  package func valueDifferences(
    from expected: JSONValue, at path: String = "", secretNames: Set<String> = []
  ) -> [ValueDifference] {
    var comparison = ValueComparison(secretNames: secretNames)
    comparison.compare(expected, self, at: path)
    return comparison.differences
  }
}

/// Compares JSON values of messages: placeholders stand for secrets, and secrets are masked in the differences.
struct ValueComparison {
  /// The differences so far.
  private(set) var differences: [ValueDifference] = []
  /// What placeholders in the expected value stand for; nil where a placeholder is text like any other.
  private(set) var secrets: SecretBindings?
  private let secretNames: Set<String>

  init(secrets: SecretBindings? = nil, secretNames: Set<String> = []) {
    self.secrets = secrets
    self.secretNames = secretNames
  }

  mutating func compare(_ expected: JSONValue, _ actual: JSONValue, at root: String = "") {
    let found: [JSONDifference] = expected.differences(from: actual) { _, expected, actual in
      switch (expected, actual) {
      case (.string(let pattern), .string(let text)), (.string(let pattern), .number(let text)):
        // A masked value can have been a number.
        secrets?.match(pattern, text)
      default: nil
      }
    }
    differences += found.map { difference in
      ValueDifference(
        path: difference.path.appended(to: root), expected: difference.left, actual: difference.right,
        isSecret: difference.path.names.contains(where: isSecretName))
    }
  }

  private func isSecretName(_ name: String) -> Bool {
    SecretText.isSecret(name: name) || secretNames.contains(SecretText.plain(name))
  }
}

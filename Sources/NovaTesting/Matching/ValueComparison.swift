import NovaCore

/// Compares two JSON values, and lists where they differ.
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

  mutating func compare(_ expected: JSONValue, _ actual: JSONValue, at path: String = "", isSecret: Bool = false) {
    switch (expected, actual) {
    case (.object(let expected), .object(let actual)): compare(expected, actual, at: path, isSecret)
    case (.array(let expected), .array(let actual)): compare(expected, actual, at: path, isSecret)
    default:
      if !isSame(expected, actual) { add(path, expected, actual, isSecret) }
    }
  }

  private mutating func compare(
    _ expected: [JSONValue.Member], _ actual: [JSONValue.Member], at path: String, _ isSecret: Bool
  ) {
    for member in expected {
      let inner = Self.path(path, member.name)
      let isSecret = isSecret || isSecretName(member.name)
      if let other = actual.first(where: { $0.name == member.name }) {
        compare(member.value, other.value, at: inner, isSecret: isSecret)
      } else {
        add(inner, member.value, nil, isSecret)
      }
    }
    for member in actual where !expected.contains(where: { $0.name == member.name }) {
      add(Self.path(path, member.name), nil, member.value, isSecret || isSecretName(member.name))
    }
  }

  private mutating func compare(
    _ expected: [JSONValue], _ actual: [JSONValue], at path: String, _ isSecret: Bool
  ) {
    for index in 0..<max(expected.count, actual.count) {
      let inner = "\(path)[\(index)]"
      if index < expected.count, index < actual.count {
        compare(expected[index], actual[index], at: inner, isSecret: isSecret)
      } else {
        let (missing, extra) = (index < expected.count, index < actual.count)
        add(inner, missing ? expected[index] : nil, extra ? actual[index] : nil, isSecret)
      }
    }
  }

  private mutating func isSame(_ expected: JSONValue, _ actual: JSONValue) -> Bool {
    if expected == actual { return true }
    switch (expected, actual) {
    case (.number(let left), .number(let right)):
      if let left = expected.integerValue, let right = actual.integerValue { return left == right }
      return Double(left) == Double(right) && expected.integerValue == nil && actual.integerValue == nil
    case (.string(let pattern), .string(let text)), (.string(let pattern), .number(let text)):
      // What a cassette hides may have been a number.
      return secrets?.match(pattern, text) ?? false
    default: return false
    }
  }

  private func isSecretName(_ name: String) -> Bool {
    SecretText.isSecret(name: name) || secretNames.contains(SecretText.plain(name))
  }

  private mutating func add(_ path: String, _ expected: JSONValue?, _ actual: JSONValue?, _ isSecret: Bool) {
    differences.append(ValueDifference(path: path, expected: expected, actual: actual, isSecret: isSecret))
  }

  private static func path(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}

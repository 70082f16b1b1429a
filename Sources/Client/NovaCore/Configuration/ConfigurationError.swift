/// A setting that cannot be used: which one, its value, where that was set, and what was expected.
///
/// ```
/// NOVA_ENVIRONMENT is "prod" (environment variable): expected development, staging or production
/// environments.staging.base_url is number 5 (APIConfig.json): expected a URL such as https://api.nova.social
/// ```
///
/// Secrets never appear.
public struct ConfigurationError: NovaError, Equatable {
  /// The setting, by the name its source has for it: a path in a file (`retry.attempts`), an environment variable
  /// (`NOVA_RETRY_ATTEMPTS`). Empty when the error is about a file as a whole.
  public let key: String
  /// What was found: `"prod"`, `number 5`, `missing`. `****` for a secret.
  public let value: String
  /// Where it was found.
  public let source: ConfigurationSource
  /// What would have been right.
  public let expected: String
  /// The line of the file at which it stood, from 1, when the file is not JSON.
  public let line: Int?
  /// The column at which it stood, in bytes from 1, when the file is not JSON.
  public let column: Int?

  @inline(never)
  init(
    key: String, value: String, source: ConfigurationSource, expected: String, line: Int? = nil, column: Int? = nil
  ) {
    self.key = key
    self.value = value
    self.source = source
    self.expected = expected
    self.line = line
    self.column = column
  }
}

extension ConfigurationError {
  public var description: String {
    var place = "\(source)"
    if case .environmentVariable = source { place = "environment variable" }
    if let line, let column { place += ", line \(line), column \(column)" }
    return key.isEmpty
      ? "\(place): expected \(expected), found \(value)" : "\(key) is \(value) (\(place)): expected \(expected)"
  }
}

extension [String] {
  /// `a, b or c`.
  package var alternatives: String { joined(before: "or") }

  /// `a, b and c`.
  package var conjunction: String { joined(before: "and") }

  @inline(never)
  private func joined(before word: String) -> String {
    guard let last, count > 1 else { return first ?? "" }
    return "\(dropLast().joined(separator: ", ")) \(word) \(last)"
  }
}

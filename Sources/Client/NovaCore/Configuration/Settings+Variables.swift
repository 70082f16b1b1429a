/// The environment variables, and the settings that they set.
package enum ConfigurationVariable {
  package static let config = "NOVA_CONFIG"
  static let token = "NOVA_TOKEN"
  static let tokenFile = "NOVA_TOKEN_FILE"

  /// The variables that have one setting each.
  static let settings: [(name: String, path: String)] = SettingDefinition.all.compactMap { setting in
    setting.variable.map { ($0, setting.path) }
  }

  /// The variables that decide which gateways are called.
  static let destinations = settings.filter { $0.path == "environment" || Settings.leadsElsewhere($0.path) }.map(\.name)

  /// The context that `nova` uses.
  package static let context = "NOVA_CONTEXT"
  /// Where `nova` keeps sessions, and what they are encrypted with.
  package static let sessionFile = "NOVA_SESSION_FILE"
  package static let sessionKey = "NOVA_SESSION_KEY"
  /// The URL of the website, for `nova open`.
  package static let website = "NOVA_WEB_URL"

  /// Every variable the SDK and `nova` read.
  package static let names =
    [config, token, tokenFile, context, sessionFile, sessionKey, website] + settings.map(\.name)

  /// Warnings about variables that look like the SDK's but are not, in order.
  static func warnings(about variables: [String: String]) -> [String] {
    var warnings: [String] = []
    for name in variables.names where name.hasPrefix("NOVA_") && !names.contains(name) {
      if variables[name] == "" { continue }
      let suggestion = Suggestion.closest(to: name, among: names).map { "; did you mean \($0)?" } ?? ""
      warnings.append("\(name.printable(to: 80)) is not a variable NovaSDK reads\(suggestion)")
    }
    return warnings
  }
}

extension Settings {
  /// Applies environment variables to the settings. An empty one counts as absent.
  mutating func apply(variables: [String: String]) throws(ConfigurationError) {
    for name in ["NOVA_BASE_URL", "NOVA_ENVIRONMENT"] where variables[name]?.isEmpty == false {
      setAsideSocket(becauseOf: name)
    }
    for (name, path) in ConfigurationVariable.settings {
      guard let text = variables[name], !text.isEmpty else { continue }
      try set(path, to: .string(text), from: .environmentVariable(name), named: name, isText: true)
    }
    try applyToken(variables)
    warnings += ConfigurationVariable.warnings(about: variables)
  }

  private mutating func applyToken(_ variables: [String: String]) throws(ConfigurationError) {
    let (token, file) = (ConfigurationVariable.token, ConfigurationVariable.tokenFile)
    let given = variables[token].flatMap { $0.isEmpty ? nil : $0 }
    guard let path = variables[file], !path.isEmpty else {
      guard let given else { return }
      return try set("token", to: .string(given), from: .environmentVariable(token), named: token, isText: true)
    }
    let source = ConfigurationSource.environmentVariable(file)
    guard given == nil else {
      throw ConfigurationError(
        key: file, value: path.quoted, source: source, expected: "only one of \(token) and \(file) to be set")
    }
    let bytes = try FileContents.read(path, limit: 65_536, named: file, from: source)
    let text = String(
      decoding: ByteOrderMark.removed(from: bytes), as: UTF8.self)
    guard let value = SettingKind.token.value(of: .string(text.trimmed())) else {
      throw ConfigurationError(
        key: file, value: path.quoted, source: source,
        expected: "a file that holds nothing but \(SettingKind.token.expectation)")
    }
    set("token", to: value, from: source, named: file)
  }
}

extension String {
  /// The text without white space at its end, and at its start too unless that is kept.
  @inline(never)
  package func trimmed(keepsStart: Bool = false) -> String {
    var text = self[...]
    while !keepsStart, text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

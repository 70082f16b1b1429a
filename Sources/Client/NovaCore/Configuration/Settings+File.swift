extension Settings {
  /// The settings the library was built with.
  static func builtIn() throws(ConfigurationError) -> Settings {
    var settings = Settings()
    try settings.apply(file: Array(BuiltInConfig.json.utf8), from: .builtIn)
    return settings
  }

  /// Applies a file to the settings. It needs only the keys that it changes; `null` is the same as an absent key.
  mutating func apply(file bytes: [UInt8], from source: ConfigurationSource) throws(ConfigurationError) {
    let json: JSONValue
    do {
      json = try JSONValue(jsonUTF8: bytes)
    } catch {
      throw ConfigurationError(
        key: error.path, value: Self.harmless(error.found), source: source, expected: error.expected, line: error.line,
        column: error.column)
    }
    try apply(json, as: .file, at: "", from: source)
  }

  private mutating func apply(
    _ json: JSONValue, as schema: ConfigurationSchema, at path: String, from source: ConfigurationSource
  ) throws(ConfigurationError) {
    if case .null = json { return }
    if case .value = schema {
      try set(path, to: resolved(json, at: path, from: source), from: source)
      return try refuseSecret(at: path)
    }
    guard case .object(let members) = json else {
      let found = json.stringValue == nil ? json.kindDescription : "a string"
      throw ConfigurationError(key: path, value: found, source: source, expected: "an object")
    }
    let prefix = path.isEmpty ? "" : "\(path)."
    for member in members {
      let memberPath = prefix + member.name
      if case .named = schema, !Self.isEnvironmentName(member.name) {
        throw ConfigurationError(
          key: path, value: "an object with the name \(member.name.quoted)", source: source,
          expected: "names of at most 40 lower-case letters, digits, - and _")
      }
      guard let next = schema.member(member.name) else {
        throw Self.unknown(member.name, at: prefix, in: schema, from: source)
      }
      try apply(member.value, as: next, at: memberPath, from: source)
    }
  }

  /// Others may read a file, or get it with a repository.
  private func refuseSecret(at path: String) throws(ConfigurationError) {
    guard let setting = self[path], case .proxy(let proxy) = setting.value, proxy.hasCredentials else { return }
    throw setting.refused(
      expected: "the proxy's user name and password in NOVA_PROXY, not in a file that others may read")
  }

  /// A file's relative paths are relative to the file.
  private func resolved(_ json: JSONValue, at path: String, from source: ConfigurationSource) -> JSONValue {
    guard ConfigurationSchema.kind(of: path) == .path, case .file(let file) = source,
      case .string(let relative) = json, !relative.isEmpty, !relative.hasPrefix("/"),
      let slash = file.lastIndex(of: "/")
    else { return json }
    return .string(file[...slash] + relative)
  }

  /// A file that is not JSON can contain anything, even a token: only punctuation and short words are shown.
  private static func harmless(_ found: String) -> String {
    let isHarmless = found.utf8.count <= 10 || ["the end of the input", "a repetition"].contains(found)
    return isHarmless ? found : "something else"
  }

  // Without the value: that of an unknown key can be a secret.
  private static func unknown(
    _ name: String, at prefix: String, in schema: ConfigurationSchema, from source: ConfigurationSource
  ) -> ConfigurationError {
    let isToken = ["token", "access_token"].contains(name.lowercased())
    return ConfigurationError(
      key: prefix + name.printable(to: 80), value: "not a key of the configuration", source: source,
      expected: isToken
        ? "the token in NOVA_TOKEN or NOVA_TOKEN_FILE, not in a file that others may read"
        : schema.expectation(insteadOf: name, at: prefix))
  }

  static func isEnvironmentName(_ name: String) -> Bool {
    name.consists(of: .environmentName, count: 1...40)
  }
}

extension ASCIISet {
  fileprivate static let environmentName = lowercase + digits + ASCIISet("-_")
}

/// The settings of all layers so far, by path: each layer replaces the values of lower ones.
struct Settings: Sendable {
  /// A value and where it came from.
  struct Setting: Sendable {
    var path: String
    var value: SettingValue
    var source: ConfigurationSource
    /// The setting's name in its source, for messages.
    var name: String

    /// An error about this setting.
    @inline(never)
    func refused(expected: String) -> ConfigurationError {
      ConfigurationError(key: name, value: value.text.quoted, source: source, expected: expected)
    }
  }

  private(set) var all: [Setting] = []
  /// What deserves attention but is no error.
  var warnings: [String] = []

  subscript(path: String) -> Setting? {
    @inline(never) get { all.first { $0.path == path } }
  }

  /// Reads a value, which replaces that of lower layers.
  ///
  /// - Parameters:
  ///   - name: The setting's name in its source, where that is not the path.
  ///   - isText: Whether the source has only text, so that `"30"` is a number.
  @inline(never)
  mutating func set(
    _ path: String, to json: JSONValue, from source: ConfigurationSource, named name: String? = nil,
    isText: Bool = false
  ) throws(ConfigurationError) {
    let name = name ?? path
    guard let kind = ConfigurationSchema.kind(of: path) else { return }
    guard let value = kind.value(of: json, isText: isText) else {
      throw ConfigurationError(
        key: name, value: kind.description(of: json), source: source, expected: kind.expectation(insteadOf: json))
    }
    set(path, to: value, from: source, named: name)
  }

  /// Sets a value, which replaces that of lower layers.
  @inline(never)
  mutating func set(
    _ path: String, to value: SettingValue, from source: ConfigurationSource, named name: String
  ) {
    remove(path)
    all.append(Setting(path: path, value: value, source: source, name: name))
  }

  /// Takes a setting away.
  @inline(never)
  mutating func remove(_ path: String) { all.removeAll { $0.path == path } }
}

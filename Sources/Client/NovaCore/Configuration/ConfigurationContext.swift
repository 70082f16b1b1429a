/// Settings that the user keeps under a name, such as `staging`: where calls go, and how. The user chose them, so they
/// may decide where tokens are sent.
///
/// A context takes precedence over the configuration file. Environment variables take precedence over a context, unless
/// its name was typed for this command. If a later layer chooses another gateway, no setting of the context is used: its
/// certificates belong to its gateway.
package struct ConfigurationContext: Sendable, Equatable {
  /// One setting of a context.
  package struct Setting: Sendable, Equatable {
    /// The key of the setting in ``APIConfiguration/entries``, such as `base_url`.
    package let key: String
    package let value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The settings that a context can have: those that decide where calls go, and what only some gateways need.
  package static let keys = [
    "base_url", "environment", "timeout_seconds", "flags.mock_data", "ca_file", "client_certificate_file",
    "client_key_file", "grpc.gateway_url",
  ]

  package let name: String
  package var settings: [Setting]
  /// The configuration file to read in place of the one in the current directory.
  package var configurationFile: String?
  /// Whether the name was typed for this command, so that the context takes precedence over environment variables.
  package var isTyped: Bool

  package init(name: String, settings: [Setting], configurationFile: String? = nil) {
    self.name = name
    self.settings = settings
    self.configurationFile = configurationFile
    isTyped = false
  }

  /// What the settings' source is called.
  package var source: ConfigurationSource { .named("context \(name)") }

  /// Whether it decides which gateway is called.
  package var decidesDestination: Bool {
    configurationFile != nil || settings.contains { ["base_url", "environment", "flags.mock_data"].contains($0.key) }
  }

  /// Whether its calls go to the mock.
  private var usesMock: Bool { settings.contains(Setting(Self.mock, .bool(true))) }

  fileprivate static let mock = "flags.mock_data"

  /// Whether another configuration file than the context's own could choose the gateway, or one for a service, that gets
  /// the context's certificate.
  private var dependsOnFile: Bool {
    configurationFile != nil || settings.contains { $0.key == "client_certificate_file" }
  }

  /// Whether something that takes precedence over the context chooses another gateway.
  ///
  /// - Parameter hasFile: whether a configuration file was named for this command.
  package func isReplaced(
    by variables: [String: String], _ overrides: ConfigurationOverrides, hasFile: Bool
  ) -> Bool {
    guard decidesDestination else { return false }
    if overrides.environment != nil || overrides.baseURL != nil || hasFile && dependsOnFile { return true }
    if overrides.usesMockData == true { return !usesMock }
    guard !isTyped else { return false }
    let isSet = { (name: String) in variables[name]?.isEmpty == false }
    if isSet(ConfigurationVariable.config), dependsOnFile { return true }
    let isMock = SettingKind.flag.value(of: .string(variables["NOVA_MOCK"] ?? ""), isText: true)?.text == "true"
    return isMock && !usesMock || ConfigurationVariable.destinations.contains(where: isSet)
  }

  /// Whether a value is valid for a key of ``keys``. The name of an environment is, whether or not it exists.
  package static func isValid(_ value: JSONValue, for key: String) -> Bool {
    keys.contains(key) && ConfigurationSchema.kind(of: key)?.value(of: value) != nil
  }
}

extension Settings {
  /// Lays a context over the settings.
  mutating func apply(_ context: ConfigurationContext) throws(ConfigurationError) {
    if context.isTyped, context.decidesDestination {
      let url = context.settings.first { $0.key == "base_url" }?.value
      setAsideURLsOfVariables(becauseOf: "context \(context.name)", url: url.flatMap(Self.urlText))
      if case .environmentVariable(let name)? = self[ConfigurationContext.mock]?.source {
        warnings.append("\(name) is not used: context \(context.name) decides where calls go")
      }
    }
    if context.decidesDestination { setAsideSocket(becauseOf: "context \(context.name)") }
    // A gateway is not the mock.
    if context.settings.contains(where: { ["base_url", "environment"].contains($0.key) }) {
      try set(ConfigurationContext.mock, to: .bool(false), from: context.source)
    }
    for setting in context.settings { try set(setting.key, to: setting.value, from: context.source) }
  }
}

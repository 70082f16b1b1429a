extension APIConfiguration {
  /// Reads every layer and resolves them: built in, then the file, the variables, the overrides.
  ///
  /// - Parameters:
  ///   - file: Which file. Default: the one `NOVA_CONFIG` names, or else `./APIConfig.json` if there is one.
  ///   - variables: The environment variables. Default: the process's, as they are now.
  ///   - overrides: What the program decides itself. Default: nothing.
  ///
  /// In a release build of the SDK, something must choose the gateway: see ``requireChosenGateway()``.
  ///
  /// - Throws: ``ConfigurationError`` that names the first setting that cannot be used, in any layer, or the missing
  ///   choice.
  public static func load(
    file: ConfigurationFile = .standard,
    environment variables: [String: String] = processVariables(),
    overrides: ConfigurationOverrides = ConfigurationOverrides()
  ) throws(ConfigurationError) -> APIConfiguration {
    let configuration = try load(file: file, environment: variables, overrides: overrides, context: nil)
    if !isDebugBuild { try configuration.requireChosenGateway() }
    return configuration
  }

  /// Checks that a file, a variable, or the program has chosen where calls go: by an environment or a base URL, by mock
  /// data, or by offline mode. Otherwise the built-in default applies.
  ///
  /// A program that is deployed without its settings would otherwise call production, with nothing to show it.
  ///
  /// - Throws: ``ConfigurationError`` that names the settings to choose from.
  public func requireChosenGateway() throws(ConfigurationError) {
    if usesMockData || isOffline { return }
    for entry in entries where ["environment", "base_url"].contains(entry.key) && entry.source != .builtIn { return }
    throw ConfigurationError(
      key: "environment", value: "missing", source: .builtIn,
      expected: "NOVA_ENVIRONMENT (such as production), NOVA_BASE_URL, `environment` in APIConfig.json, or "
        + "ConfigurationOverrides(environment:) to choose the gateway, which a release build does not choose by itself")
  }

  /// Reads and resolves every layer, with a context as one of them. No later layer may replace the context:
  /// see ``ConfigurationContext/isReplaced(by:_:hasFile:)``.
  package static func load(
    file: ConfigurationFile, environment variables: [String: String], overrides: ConfigurationOverrides,
    context: ConfigurationContext?
  ) throws(ConfigurationError) -> APIConfiguration {
    var settings = try Settings.builtIn()
    let read = try file.read(variables)
    if let read { try settings.apply(file: read.bytes, from: .file(read.path)) }
    var configuration = try APIConfiguration(settings, variables: variables, overrides: overrides, context: context)
    if let read, !read.isNamed {
      // Without the token: its file may be a pipe, which can be read once.
      var others = variables
      others[ConfigurationVariable.token] = nil
      others[ConfigurationVariable.tokenFile] = nil
      configuration.foundFile = FoundConfigurationFile(path: read.path, bytes: read.bytes, settings: settings) {
        [others] in
        try? APIConfiguration(Settings.builtIn(), variables: others, overrides: overrides, context: context)
      }
    }
    configuration.context = context?.name
    return configuration
  }

  /// Checks the content of a configuration file as if it were read from this path, with no other layer above it.
  ///
  /// - Throws: ``ConfigurationError`` that names the first setting that cannot be used.
  package static func check(file bytes: [UInt8], named path: String) throws(ConfigurationError) {
    var settings = try Settings.builtIn()
    try settings.apply(file: bytes, from: .file(path))
    _ = try APIConfiguration(settings, variables: [:], overrides: ConfigurationOverrides(), context: nil)
  }

  /// The keys of configuration files: `retry.attempts`.
  package static var fileKeys: [String] { SettingDefinition.all.filter(\.isInFiles).map(\.path) }

  /// Applies the layers above the file.
  private init(
    _ settings: Settings, variables: [String: String], overrides: ConfigurationOverrides,
    context: ConfigurationContext?
  ) throws(ConfigurationError) {
    var settings = settings
    if let context, !context.isTyped { try settings.apply(context) }
    try settings.apply(variables: variables)
    if let context, context.isTyped { try settings.apply(context) }
    try settings.apply(overrides)
    try self.init(settings)
  }

  /// The built-in configuration with the program's own decisions: reads neither files nor environment variables.
  ///
  /// - Throws: ``ConfigurationError`` that names the first setting that cannot be used.
  public init(_ overrides: ConfigurationOverrides = ConfigurationOverrides()) throws(ConfigurationError) {
    self = try .load(file: .none, environment: [:], overrides: overrides, context: nil)
  }

  /// Whether the SDK was compiled for debugging.
  static var isDebugBuild: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  /// The built-in configuration as it is: no file, no environment variables, no overrides.
  public static let builtIn: APIConfiguration = {
    do throws(ConfigurationError) {
      return try APIConfiguration()
    } catch {
      // It is compiled in, and tests load it.
      preconditionFailure("the built-in configuration cannot be used: \(error)")
    }
  }()
}

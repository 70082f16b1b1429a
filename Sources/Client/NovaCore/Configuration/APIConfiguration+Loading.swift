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

  private init(_ settings: Settings) throws(ConfigurationError) {
    let environment = try settings.environment()
    let prefix = "environments.\(environment.name)."
    var reader = SettingsReader(settings)
    reader.note("environment", .text(environment.name), from: environment.source)
    baseURL = try reader.url("base_url", or: prefix + "base_url")
    let timeout = reader.duration(
      "timeout_seconds", or: prefix + "timeout_seconds", "environments.production.timeout_seconds")
    self.environment = APIEnvironment(rawValue: environment.name)
    self.timeout = timeout
    switch reader.lastSource {
    case .code, .environmentVariable, .named: isTimeoutExplicit = true
    case .builtIn, .file, nil: isTimeoutExplicit = false
    }
    token = reader.token("token")
    services = reader.services()
    limits = TransferLimits(
      connectTimeout: reader.duration("limits.connect_timeout_seconds"),
      idleTimeout: reader.duration("limits.idle_timeout_seconds"),
      totalTimeout: reader.duration("limits.transfer_timeout_seconds"),
      maximumResponseBytes: reader.integer("limits.max_response_bytes"))
    connections = reader.connections()
    proxy = reader.proxy()
    connectTo = reader.connectTo("connect_to")
    unixSocket = reader.unixSocket("unix_socket", for: baseURL.origin)
    usesMockData = reader.flag("flags.mock_data")
    logsRequests = reader.flag("flags.request_logging", default: Self.isDebugBuild)
    isOffline = reader.flag("flags.offline_mode")
    retryAttempts = reader.integer("retry.attempts")
    retryDelay = reader.duration("retry.delay_seconds")
    maximumRetryWait = reader.duration("retry.max_wait_seconds")
    recognizesIdempotencyKeys = reader.flag("retry.idempotency_keys", default: usesMockData)
    logLevel = reader.logLevel("log_level")
    logBodyBytes = reader.integer("log_body_bytes")
    caFile = reader.file("ca_file")
    clientCertificateFile = reader.file("client_certificate_file")
    clientKeyFile = reader.file("client_key_file")
    stateDirectory = reader.path("state_directory")
    entries = try reader.finish()
    if clientCertificateFile == nil, let key = settings["client_key_file"] {
      throw key.refused(expected: "client_certificate_file to be set too, with the certificate of this key")
    }
    warnings = settings.warnings
    if token != nil { try settings.requireEncryption(["base_url", prefix + "base_url"]) }
  }

  /// Whether the SDK was compiled for debugging.
  static var isDebugBuild: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }
}

extension Settings {
  /// The environments that exist: the contract's first, then others by name.
  var environmentNames: [String] {
    let known = ["development", "staging", "production"]
    var others: [String] = []
    for index in all.indices {
      let names = all[index].path.parts(between: ".", keepsEmpty: true)
      guard names.count > 1, names[0] == "environments" else { continue }
      if !known.contains(names[1]), !others.contains(names[1]) { others.append(names[1]) }
    }
    return known + others.inOrder()
  }

  /// The chosen environment, after checking every name of one and that each has a base URL.
  fileprivate func environment() throws(ConfigurationError) -> (name: String, source: ConfigurationSource) {
    let names = environmentNames
    for path in ["environment", "default_environment.debug", "default_environment.release"] {
      guard let setting = self[path], !names.contains(setting.value.text) else { continue }
      throw setting.refused(expected: names.alternatives)
    }
    for name in names where self["environments.\(name).base_url"] == nil {
      throw ConfigurationError(
        key: "environments.\(name).base_url", value: "missing",
        source: self["environments.\(name).timeout_seconds"]?.source ?? .builtIn, expected: BaseURL.expectation)
    }
    let path = "default_environment.\(APIConfiguration.isDebugBuild ? "debug" : "release")"
    guard let setting = self["environment"] ?? self[path] else { throw Settings.missing(path, .environment) }
    return (setting.value.text, setting.source)
  }

  /// Refuses URLs that would carry the token unencrypted to another machine.
  fileprivate func requireEncryption(_ general: [String]) throws(ConfigurationError) {
    var used: [String] = []
    for path in general where used.isEmpty && self[path] != nil { used.append(path) }
    for service in ContractServices.names { used.append("services.\(service).base_url") }
    for path in used {
      guard let setting = self[path], case .url(let url) = setting.value, !url.origin.protectsSecrets else { continue }
      throw setting.refused(expected: "https, because a token is set and only this machine may receive it unencrypted")
    }
  }

  @inline(never)
  static func missing(_ path: String, _ kind: SettingKind) -> ConfigurationError {
    ConfigurationError(key: path, value: "missing", source: .builtIn, expected: kind.expectation)
  }
}

extension APIConfiguration {
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

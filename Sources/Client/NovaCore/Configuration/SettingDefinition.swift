import Logging

/// A setting: its key, its values, and what sets it.
///
/// A new setting needs a row in ``all``, a default in `APIConfig.json`, a property of ``APIConfiguration`` that its
/// initializer reads, and a property of ``ConfigurationOverrides``. docs/common-changes.md has the steps.
struct SettingDefinition: Sendable {
  /// The names in a configuration file, separated by dots: `retry.attempts`.
  let path: String
  let kind: SettingKind
  /// The environment variable; nil if no variable has this setting alone.
  let variable: String?
  /// Whether configuration files have it.
  let isInFiles: Bool
  /// The program's own value; nil if several settings depend on it, or code has none.
  let override: (@Sendable (ConfigurationOverrides) -> JSONValue?)?

  private init(
    _ path: String, _ kind: SettingKind, variable: String? = nil, isInFiles: Bool = true,
    override: (@Sendable (ConfigurationOverrides) -> JSONValue?)? = nil
  ) {
    self.path = path
    self.kind = kind
    self.variable = variable
    self.isInFiles = isInFiles
    self.override = override
  }

  /// Every setting, in the order of `APIConfig.json`.
  static let all: [SettingDefinition] = [
    destinations, ContractServices.names.flatMap(ofService), limits, flags, retries, grpc, connections,
    logsAndFiles,
  ].flatMap(\.self)

  /// In a path, the place of an environment's name.
  static let anyEnvironment = "<name>"

  private static let destinations = [
    SettingDefinition("environment", .environment, variable: "NOVA_ENVIRONMENT"),
    SettingDefinition("base_url", .url, variable: "NOVA_BASE_URL", isInFiles: false),
    SettingDefinition("timeout_seconds", .timeout, variable: "NOVA_TIMEOUT", isInFiles: false) { .seconds($0.timeout) },
    SettingDefinition("token", .token, isInFiles: false),
    SettingDefinition("default_environment.debug", .environment),
    SettingDefinition("default_environment.release", .environment),
    SettingDefinition("environments.\(anyEnvironment).base_url", .url),
    SettingDefinition("environments.\(anyEnvironment).timeout_seconds", .timeout),
  ]

  private static func ofService(_ name: String) -> [SettingDefinition] {
    let (path, variable) = ("services.\(name).", "NOVA_\(name.uppercased())_")
    return [
      SettingDefinition(path + "base_url", .url, variable: variable + "BASE_URL") {
        .text($0.services[name]?.baseURL?.text)
      },
      SettingDefinition(path + "timeout_seconds", .timeout, variable: variable + "TIMEOUT") {
        .seconds($0.services[name]?.timeout)
      },
      SettingDefinition(path + "request_names", .names, variable: variable + "REQUEST_NAMES") {
        .text($0.services[name]?.requestNames?.settingName)
      },
    ]
  }

  private static let limits = [
    SettingDefinition("limits.connect_timeout_seconds", .timeout) { .seconds($0.limits?.connectTimeout) },
    SettingDefinition("limits.idle_timeout_seconds", .timeout) { .seconds($0.limits?.idleTimeout) },
    SettingDefinition("limits.transfer_timeout_seconds", .timeout) { .seconds($0.limits?.totalTimeout) },
    SettingDefinition("limits.max_response_bytes", .integer(1...1_073_741_824)) {
      .integer($0.limits?.maximumResponseBytes)
    },
    SettingDefinition("limits.max_transfers", .integer(1...10_000), variable: "NOVA_MAX_TRANSFERS") {
      .integer($0.connections?.maximumTransfers)
    },
    SettingDefinition("limits.max_streams", .integer(1...100_000), variable: "NOVA_MAX_STREAMS") {
      .integer($0.connections?.maximumStreams)
    },
    SettingDefinition("limits.queue_timeout_seconds", .timeout, variable: "NOVA_QUEUE_TIMEOUT") {
      .seconds($0.connections?.queueTimeout)
    },
    SettingDefinition("limits.max_connections", .integer(1...100_000), variable: "NOVA_MAX_CONNECTIONS") {
      .integer($0.connections?.maximumConnections)
    },
    SettingDefinition(
      "limits.max_connections_per_host", .integer(1...100_000), variable: "NOVA_MAX_CONNECTIONS_PER_HOST"
    ) { .integer($0.connections?.maximumConnectionsPerHost) },
    SettingDefinition("limits.max_kept_connections", .integer(1...10_000), variable: "NOVA_MAX_KEPT_CONNECTIONS") {
      .integer($0.connections?.maximumKeptConnections)
    },
  ]

  private static let flags = [
    SettingDefinition("flags.mock_data", .flag, variable: "NOVA_MOCK") { .flag($0.usesMockData) },
    SettingDefinition("flags.request_logging", .flag, variable: "NOVA_LOG_REQUESTS") { .flag($0.logsRequests) },
    SettingDefinition("flags.offline_mode", .flag, variable: "NOVA_OFFLINE") { .flag($0.isOffline) },
  ]

  private static let retries = [
    SettingDefinition("retry.attempts", .integer(1...10), variable: "NOVA_RETRY_ATTEMPTS") {
      .integer($0.retryAttempts)
    },
    SettingDefinition("retry.delay_seconds", .seconds(.zero ... .seconds(60)), variable: "NOVA_RETRY_DELAY") {
      .seconds($0.retryDelay)
    },
    SettingDefinition(
      "retry.max_wait_seconds", .seconds(.seconds(1) ... .seconds(86_400)), variable: "NOVA_RETRY_MAX_WAIT"
    ) { .seconds($0.maximumRetryWait) },
    SettingDefinition("retry.idempotency_keys", .flag, variable: "NOVA_IDEMPOTENCY_KEYS") {
      .flag($0.recognizesIdempotencyKeys)
    },
  ]

  private static let grpc = [
    SettingDefinition("grpc.gateway_url", .gateway, variable: "NOVA_GRPC_GATEWAY_URL") {
      .text($0.grpcGatewayURL ?? $0.grpc?.gatewayURL?.text)
    },
    SettingDefinition("grpc.balancing", .balancing, variable: "NOVA_GRPC_BALANCING") {
      .text($0.grpc?.balancing.rawValue)
    },
    SettingDefinition(
      "grpc.ping_interval_seconds", .seconds(.seconds(1) ... .seconds(86_400)), variable: "NOVA_GRPC_PING_INTERVAL"
    ) { .seconds($0.grpc?.pingInterval) },
    SettingDefinition("grpc.max_request_bytes", .integer(1...1_073_741_824)) { .integer($0.grpc?.maximumRequestBytes) },
  ]

  private static let connections = [
    SettingDefinition("proxy", .proxy, variable: "NOVA_PROXY"),
    SettingDefinition("no_proxy", .proxyExceptions, variable: "NOVA_NO_PROXY"),
    SettingDefinition("connect_to", .connectTo, variable: "NOVA_CONNECT_TO"),
    SettingDefinition("unix_socket", .unixSocket, variable: "NOVA_UNIX_SOCKET") { .text($0.unixSocket) },
  ]

  private static let logsAndFiles = [
    SettingDefinition("log_level", .logLevel, variable: "NOVA_LOG_LEVEL") { .text($0.logLevel?.rawValue) },
    SettingDefinition("log_body_bytes", .integer(0...65_536), variable: "NOVA_LOG_BODY_BYTES") {
      .integer($0.logBodyBytes)
    },
    SettingDefinition("ca_file", .path, variable: "NOVA_CA_FILE") { .text($0.caFile) },
    SettingDefinition("client_certificate_file", .path, variable: "NOVA_CLIENT_CERTIFICATE_FILE") {
      .text($0.clientCertificateFile)
    },
    SettingDefinition("client_key_file", .path, variable: "NOVA_CLIENT_KEY_FILE") { .text($0.clientKeyFile) },
    SettingDefinition("state_directory", .path, variable: "NOVA_STATE_DIRECTORY") { .text($0.stateDirectory) },
  ]
}

extension JSONValue? {
  @inline(never)
  fileprivate static func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }

  @inline(never)
  fileprivate static func flag(_ flag: Bool?) -> JSONValue? { flag.map { .bool($0) } }

  @inline(never)
  fileprivate static func integer(_ number: Int?) -> JSONValue? { number.map { .number(String($0)) } }

  @inline(never)
  fileprivate static func seconds(_ duration: Duration?) -> JSONValue? { duration.map { .number($0.secondsText) } }
}

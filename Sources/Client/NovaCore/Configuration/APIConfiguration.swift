public import Logging

/// The settings of a client: where it sends calls, and how.
///
/// Four layers are read, each of which takes precedence over those before it: the built-in settings, a file, environment
/// variables, and code. Every value is checked when it is loaded.
///
/// ```swift
/// let configuration = try APIConfiguration.load(overrides: ConfigurationOverrides(environment: .staging))
/// configuration.baseURL  // https://staging-api.nova.social
/// ```
///
/// A loaded value never changes. Loading reads the file and the variables, and nothing else.
public struct APIConfiguration: Sendable {
  /// The environment.
  public internal(set) var environment: APIEnvironment
  /// The root of the gateway's URLs, without a slash at the end.
  public internal(set) var baseURL: HTTPURL
  /// How long a call may take, all attempts together; 1 ms to 300 s. RPCs can have others.
  public internal(set) var timeout: Duration
  /// Whether a variable or the program set ``timeout``. Files give each environment one, for RPCs without their own.
  var isTimeoutExplicit: Bool
  /// The bounds of one transfer.
  public internal(set) var limits: TransferLimits
  /// How many transfers and connections there are at once.
  public internal(set) var connections: ConnectionLimits
  /// How services are called over gRPC.
  public internal(set) var grpc: GRPCConfiguration
  /// The proxy of all requests. Default: those of the environment (`https_proxy`, `no_proxy`).
  public internal(set) var proxy: HTTPProxy
  /// The servers that are connected to in place of others.
  public internal(set) var connectTo: [ConnectTo]
  /// The Unix socket through which the origin of ``baseURL`` is reached; nil for the network.
  public internal(set) var unixSocket: UnixSocket?
  /// What single services do differently, by their short names: `graph`.
  public internal(set) var services: [String: ServiceConfiguration]
  /// The token of every call, if there is one.
  public internal(set) var token: AccessToken?
  /// The certificates to trust instead of the system's, as a path to a PEM file.
  public internal(set) var caFile: String?
  /// The client certificate for servers that request one, as a path to a PEM file.
  public internal(set) var clientCertificateFile: String?
  /// That certificate's key, as a path to a PEM file; nil when it is in the certificate's file, or there is none.
  public internal(set) var clientKeyFile: String?
  /// Where interrupted uploads are recorded, as the path of a directory; nil for the user's, `~/.local/state/nova`.
  public internal(set) var stateDirectory: String?
  /// Whether calls are answered by the mock. Default: no.
  public package(set) var usesMockData: Bool
  /// Whether calls are logged. Default: in debug builds only.
  public internal(set) var logsRequests: Bool
  /// Whether nothing is sent. Default: no.
  public internal(set) var isOffline: Bool
  /// The most attempts of one call, the first included; 1 to 10, default 3.
  public internal(set) var retryAttempts: Int
  /// The time before the second attempt, from which those before later ones grow; 0 to 60 s, default 2 s.
  public internal(set) var retryDelay: Duration
  /// The longest wait that a server's `Retry-After` can cause before something is repeated; 1 s to a day, default 300 s.
  public internal(set) var maximumRetryWait: Duration
  /// Whether the gateway recognizes the repetition of a call by its `Idempotency-Key`, so that calls that must not be
  /// done twice may be tried again too. Default: yes for the mock, else no.
  public package(set) var recognizesIdempotencyKeys: Bool
  /// What the SDK's loggers let through; nil leaves that to the program's own set-up.
  public internal(set) var logLevel: Logger.Level?
  /// How much of each body is logged with a call, in bytes, secrets masked; 0 to 65,536, default 0.
  public internal(set) var logBodyBytes: Int
  /// Every setting with its source, in a fixed order; secrets are masked.
  public internal(set) var entries: [ConfigurationEntry]
  /// The configuration file that was found in the current directory rather than named; nil if there is none.
  package internal(set) var foundFile: FoundConfigurationFile?
  /// The context whose gateway is called, and whose sessions are used; nil without one.
  package var context: String?
  /// What deserves attention but is no error, such as a misspelled environment variable.
  public internal(set) var warnings: [String]

  /// Takes the values out of the settings of all layers. ``entries`` has them in this order.
  init(_ settings: Settings) throws(ConfigurationError) {
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
    grpc = reader.grpc()
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

  /// Where the calls of a service go: its own base URL, or else everyone's.
  public func baseURL(for service: String) -> HTTPURL { services[service]?.baseURL ?? baseURL }

  /// How long a call to a service may take: its own time, or else everyone's.
  public func timeout(for service: String) -> Duration { services[service]?.timeout ?? timeout }

  /// How long a call of an RPC may take: what is set for its service or for all, or else the contract's or the
  /// environment's default.
  public func timeout(for rpc: RPCDescriptor) -> Duration {
    services[rpc.service]?.timeout ?? (isTimeoutExplicit ? timeout : rpc.timeout ?? timeout)
  }

  /// The style of field names in requests to a service; nil for the contract's style.
  public func requestNames(for service: String) -> JSONNameStyle? { services[service]?.requestNames }
}

/// What one service does differently from the others.
public struct ServiceConfiguration: Sendable, Equatable {
  /// Where its calls go; nil for where the others go.
  public var baseURL: HTTPURL?
  /// How long a call may take, 1 ms to 300 s; nil for what the others have.
  public var timeout: Duration?
  /// The style of field names in the JSON and queries of requests; nil for the contract's style. Responses may use
  /// either.
  public var requestNames: JSONNameStyle?

  /// Creates a service's configuration.
  public init(baseURL: HTTPURL? = nil, timeout: Duration? = nil, requestNames: JSONNameStyle? = nil) {
    self.baseURL = baseURL
    self.timeout = timeout
    self.requestNames = requestNames
  }
}

/// Which deployment of NovaSocial is called.
///
/// Open: a configuration file may define more under `environments`.
public struct APIEnvironment: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The name in `APIConfig.json`, such as `staging`.
  public let rawValue: String

  /// Creates an environment from its name. Whether it exists shows when a configuration is loaded.
  public init(rawValue: String) { self.rawValue = rawValue }

  public var description: String { rawValue }

  /// A gateway on this machine: `http://localhost:8080`, 60 s. The default of debug builds, which need no settings.
  public static let development = APIEnvironment(rawValue: "development")
  /// `https://staging-api.nova.social`, 30 s.
  public static let staging = APIEnvironment(rawValue: "staging")
  /// `https://api.nova.social`, 30 s. In release builds, the default of ``APIConfiguration/builtIn``, of
  /// `NovaClient.shared`, and of the command `nova`; ``APIConfiguration/load(file:environment:overrides:)`` has none.
  public static let production = APIEnvironment(rawValue: "production")
}

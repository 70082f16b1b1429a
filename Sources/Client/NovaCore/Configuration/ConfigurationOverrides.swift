public import Logging

/// Settings of the program itself, which take precedence over files and environment variables.
public struct ConfigurationOverrides: Sendable {
  /// The environment to call. Unless ``baseURL`` is set too, calls go to this environment's URL, and
  /// `NOVA_BASE_URL` and `NOVA_<SERVICE>_BASE_URL` are ignored.
  public var environment: APIEnvironment?
  /// Where calls go. The environment's URL and `NOVA_<SERVICE>_BASE_URL` are ignored.
  public var baseURL: String?
  /// How long a call may take, 1 ms to 300 s.
  public var timeout: Duration?
  /// The token of every call.
  public var token: AccessToken?
  /// The certificates to trust, as a path to a PEM file.
  public var caFile: String?
  /// The client certificate for servers that request one, as a path to a PEM file.
  public var clientCertificateFile: String?
  /// That certificate's key, as a path to a PEM file; needed when the key is not in the certificate's file.
  public var clientKeyFile: String?
  /// Where interrupted uploads are recorded, as the path of a directory.
  public var stateDirectory: String?
  /// Whether calls are answered by the mock.
  public var usesMockData: Bool?
  /// Whether calls are logged.
  public var logsRequests: Bool?
  /// Whether only what is cached is answered.
  public var isOffline: Bool?
  /// What the SDK's loggers let through.
  public var logLevel: Logger.Level?
  /// How much of each body is logged with a call, 0 to 65,536 bytes.
  public var logBodyBytes: Int?
  /// The most attempts of one call, 1 to 10.
  public var retryAttempts: Int?
  /// The time before the second attempt, 0 to 60 s.
  public var retryDelay: Duration?
  /// The longest wait that a server's `Retry-After` can cause, 1 s to a day.
  public var maximumRetryWait: Duration?
  /// Whether the gateway recognizes the repetition of a call by its `Idempotency-Key`.
  public var recognizesIdempotencyKeys: Bool?
  /// The bounds of one transfer, all four: times from 1 ms to 300 s, bodies from 1 byte to 1 GiB.
  public var limits: TransferLimits?
  /// How many transfers and connections there are at once: 1 to 10,000 transfers and kept connections, 1 to 100,000 streams
  /// and connections, waits from 1 ms to 300 s. What is nil is left to the layers below.
  public var connections: ConnectionLimits?
  /// How services are called over gRPC, all of it.
  public var grpc: GRPCConfiguration?
  /// The gateway beside services that are called over gRPC, without the other settings of ``grpc``.
  package var grpcGatewayURL: String?
  /// The proxy of all requests, in place of `proxy` and `no_proxy`.
  public var proxy: HTTPProxy?
  /// The servers that are connected to in place of others.
  public var connectTo: [ConnectTo]?
  /// The absolute path of a Unix socket through which the gateway is reached.
  public var unixSocket: String?
  /// What single services do differently, by their short names.
  public var services: [String: ServiceConfiguration]
  /// The options of a command line that set ``environment`` and ``baseURL``, by their keys, for warnings.
  package var optionNames: [String: String] = [:]

  /// Creates overrides; nil leaves the decision to the layers below.
  public init(
    environment: APIEnvironment? = nil,
    baseURL: String? = nil,
    timeout: Duration? = nil,
    token: AccessToken? = nil,
    caFile: String? = nil,
    clientCertificateFile: String? = nil,
    clientKeyFile: String? = nil,
    stateDirectory: String? = nil,
    usesMockData: Bool? = nil,
    logsRequests: Bool? = nil,
    isOffline: Bool? = nil,
    logLevel: Logger.Level? = nil,
    logBodyBytes: Int? = nil,
    retryAttempts: Int? = nil,
    retryDelay: Duration? = nil,
    maximumRetryWait: Duration? = nil,
    recognizesIdempotencyKeys: Bool? = nil,
    limits: TransferLimits? = nil,
    connections: ConnectionLimits? = nil,
    grpc: GRPCConfiguration? = nil,
    proxy: HTTPProxy? = nil,
    connectTo: [ConnectTo]? = nil,
    unixSocket: String? = nil,
    services: [String: ServiceConfiguration] = [:]
  ) {
    self.environment = environment
    self.baseURL = baseURL
    self.timeout = timeout
    self.token = token
    self.caFile = caFile
    self.clientCertificateFile = clientCertificateFile
    self.clientKeyFile = clientKeyFile
    self.stateDirectory = stateDirectory
    self.usesMockData = usesMockData
    self.logsRequests = logsRequests
    self.isOffline = isOffline
    self.logLevel = logLevel
    self.logBodyBytes = logBodyBytes
    self.retryAttempts = retryAttempts
    self.retryDelay = retryDelay
    self.maximumRetryWait = maximumRetryWait
    self.recognizesIdempotencyKeys = recognizesIdempotencyKeys
    self.limits = limits
    self.connections = connections
    self.grpc = grpc
    self.proxy = proxy
    self.connectTo = connectTo
    self.unixSocket = unixSocket
    self.services = services
  }
}

extension Settings {
  /// Applies the program's own decisions to the settings.
  mutating func apply(_ overrides: ConfigurationOverrides) throws(ConfigurationError) {
    if let url = overrides.baseURL {
      setAside(
        becauseOf: overrides.optionNames["base_url"] ?? "the base URL set in code", url: Self.urlText(.string(url)))
    } else if let name = overrides.environment?.rawValue {
      setAside(
        becauseOf: overrides.optionNames["environment"] ?? "the environment set in code",
        url: self["environments.\(name).base_url"]?.value.text)
    }
    if let environment = overrides.environment {
      try set("environment", to: .string(environment.rawValue), from: .code)
    }
    if let url = overrides.baseURL { try set("base_url", to: .string(url), from: .code) }
    if let token = overrides.token { set("token", to: .token(token), from: .code, named: "token") }
    if let proxy = overrides.proxy {
      set("proxy", to: .proxy(proxy), from: .code, named: "proxy")
      set("no_proxy", to: .proxyExceptions(proxy.exceptions), from: .code, named: "no_proxy")
    }
    if let connectTo = overrides.connectTo {
      set("connect_to", to: .connectTo(connectTo), from: .code, named: "connect_to")
    }
    let known = ContractServices.names
    var unknown: [String] = []
    for name in overrides.services.keys where !known.contains(name) { unknown.append(name) }
    if let service = unknown.inOrder().first {
      throw ConfigurationError(key: "services", value: service.quoted, source: .code, expected: known.alternatives)
    }
    for setting in SettingDefinition.all {
      if let value = setting.override?(overrides) { try set(setting.path, to: value, from: .code) }
    }
  }

  /// Takes what leads elsewhere away.
  private mutating func setAside(becauseOf reason: String, url: String?) {
    setAsideURLsOfVariables(becauseOf: reason, url: url)
    setAsideSocket(becauseOf: reason)
  }

  /// A base URL as configurations show it; nil for an invalid one.
  static func urlText(_ json: JSONValue) -> String? {
    ConfigurationSchema.kind(of: "base_url")?.value(of: json)?.text
  }

  /// A Unix socket leads to the gateway of its layer, and to no other gateway.
  mutating func setAsideSocket(becauseOf reason: String) {
    guard let socket = self["unix_socket"] else { return }
    remove("unix_socket")
    let place = socket.name == socket.source.description ? "" : " (\(socket.source))"
    warnings.append("\(socket.name)\(place) is not used: \(reason) decides where calls go")
  }

  /// `--environment development` must not lead elsewhere because of a variable in the shell.
  ///
  /// - Parameters:
  ///   - reason: what decides where calls go.
  ///   - url: where they go. A variable with the same URL needs no warning.
  mutating func setAsideURLsOfVariables(becauseOf reason: String, url: String?) {
    for (name, path) in ConfigurationVariable.settings where Self.leadsElsewhere(path) {
      guard let setting = self[path], case .environmentVariable = setting.source else { continue }
      remove(path)
      if setting.value.text == url { continue }
      warnings.append("\(name) is not used: \(reason) decides where calls go")
    }
  }
}

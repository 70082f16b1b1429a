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
  /// Whether the gateway recognizes the repetition of a call by its `Idempotency-Key`.
  public var recognizesIdempotencyKeys: Bool?
  /// The bounds of one transfer, all four: times from 1 ms to 300 s, bodies from 1 byte to 1 GiB.
  public var limits: TransferLimits?
  /// What single services do differently, by their short names.
  public var services: [String: ServiceConfiguration]

  /// Creates overrides; nil leaves the decision to the layers below.
  public init(
    environment: APIEnvironment? = nil,
    baseURL: String? = nil,
    timeout: Duration? = nil,
    token: AccessToken? = nil,
    caFile: String? = nil,
    clientCertificateFile: String? = nil,
    clientKeyFile: String? = nil,
    usesMockData: Bool? = nil,
    logsRequests: Bool? = nil,
    isOffline: Bool? = nil,
    logLevel: Logger.Level? = nil,
    logBodyBytes: Int? = nil,
    retryAttempts: Int? = nil,
    retryDelay: Duration? = nil,
    recognizesIdempotencyKeys: Bool? = nil,
    limits: TransferLimits? = nil,
    services: [String: ServiceConfiguration] = [:]
  ) {
    self.environment = environment
    self.baseURL = baseURL
    self.timeout = timeout
    self.token = token
    self.caFile = caFile
    self.clientCertificateFile = clientCertificateFile
    self.clientKeyFile = clientKeyFile
    self.usesMockData = usesMockData
    self.logsRequests = logsRequests
    self.isOffline = isOffline
    self.logLevel = logLevel
    self.logBodyBytes = logBodyBytes
    self.retryAttempts = retryAttempts
    self.retryDelay = retryDelay
    self.recognizesIdempotencyKeys = recognizesIdempotencyKeys
    self.limits = limits
    self.services = services
  }
}

extension Settings {
  /// Lays the program's own decisions over the settings.
  mutating func apply(_ overrides: ConfigurationOverrides) throws(ConfigurationError) {
    if let environment = overrides.environment {
      setAsideURLsOfVariables(becauseOf: "the environment")
      try set("environment", to: .string(environment.rawValue), from: .code)
    }
    if let url = overrides.baseURL {
      setAsideURLsOfVariables(becauseOf: "the base URL")
      try set("base_url", to: .string(url), from: .code)
    }
    if let token = overrides.token { set("token", to: .token(token), from: .code, named: "token") }
    for service in overrides.services.keys.sorted() where !ConfigurationSchema.services.contains(service) {
      throw ConfigurationError(
        key: "services", value: service.quoted, source: .code, expected: ConfigurationSchema.services.alternatives)
    }
    for (path, json) in overrides.values + overrides.serviceValues {
      if let json { try set(path, to: json, from: .code) }
    }
  }

  /// `--environment development` must not lead elsewhere because of a variable in the shell.
  private mutating func setAsideURLsOfVariables(becauseOf reason: String) {
    for (name, path) in ConfigurationVariable.settings where path.hasSuffix("base_url") {
      guard case .environmentVariable? = self[path]?.source else { continue }
      remove(path)
      warnings.append("\(name) is not used: \(reason) set in code decides where calls go")
    }
  }
}

extension ConfigurationOverrides {
  /// The plain settings with their paths.
  fileprivate var values: [(path: String, json: JSONValue?)] {
    [
      ("timeout_seconds", Self.json(timeout)),
      ("ca_file", Self.json(caFile)),
      ("client_certificate_file", Self.json(clientCertificateFile)),
      ("client_key_file", Self.json(clientKeyFile)),
      ("flags.mock_data", Self.json(usesMockData)),
      ("flags.request_logging", Self.json(logsRequests)),
      ("flags.offline_mode", Self.json(isOffline)),
      ("log_level", Self.json(logLevel?.rawValue)),
      ("log_body_bytes", Self.json(logBodyBytes)),
      ("retry.attempts", Self.json(retryAttempts)),
      ("retry.delay_seconds", Self.json(retryDelay)),
      ("retry.idempotency_keys", Self.json(recognizesIdempotencyKeys)),
      ("limits.connect_timeout_seconds", Self.json(limits?.connectTimeout)),
      ("limits.idle_timeout_seconds", Self.json(limits?.idleTimeout)),
      ("limits.transfer_timeout_seconds", Self.json(limits?.totalTimeout)),
      ("limits.max_response_bytes", Self.json(limits?.maximumResponseBytes)),
    ]
  }

  /// The settings of services.
  fileprivate var serviceValues: [(path: String, json: JSONValue?)] {
    var values: [(path: String, json: JSONValue?)] = []
    for name in ConfigurationSchema.services {
      guard let service = services[name] else { continue }
      values += [
        ("services.\(name).base_url", Self.json(service.baseURL?.text)),
        ("services.\(name).timeout_seconds", Self.json(service.timeout)),
        ("services.\(name).request_names", Self.json(service.requestNames?.settingName)),
      ]
    }
    return values
  }

  // Not inlined: each is used many times, once in a program's life.

  @inline(never)
  private static func json(_ text: String?) -> JSONValue? { text.map { .string($0) } }

  @inline(never)
  private static func json(_ flag: Bool?) -> JSONValue? { flag.map { .bool($0) } }

  @inline(never)
  private static func json(_ number: Int?) -> JSONValue? { number.map { .number(String($0)) } }

  @inline(never)
  private static func json(_ duration: Duration?) -> JSONValue? { duration.map { .number($0.secondsText) } }
}

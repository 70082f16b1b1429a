import Logging

/// Takes the settings one by one and notes each for ``APIConfiguration/entries``.
struct SettingsReader {
  private let settings: Settings
  /// What was taken so far, in that order.
  private var entries: [ConfigurationEntry] = []

  /// What is wrong with the first setting that cannot be used. It is thrown in the end: a caller with many values would
  /// have to drop those before it at each place.
  private var failure: ConfigurationError?

  init(_ settings: Settings) { self.settings = settings }

  /// Where the setting comes from that was taken last.
  var lastSource: ConfigurationSource? { entries.last?.source }

  /// Everything that was taken, in that order.
  ///
  /// - Throws: what is wrong with the first setting that cannot be used.
  func finish() throws(ConfigurationError) -> [ConfigurationEntry] {
    if let failure { throw failure }
    return entries
  }

  private mutating func fail(_ error: ConfigurationError) { failure = failure ?? error }

  @inline(never)
  mutating func note(_ key: String, _ value: SettingValue?, from source: ConfigurationSource) {
    entries.append(ConfigurationEntry(key: key, value: value?.text, source: source))
  }

  mutating func url(_ path: String, or others: String...) throws(ConfigurationError) -> HTTPURL {
    if case .url(let url)? = take(path, others) { return url }
    throw Settings.missing(path, .url)
  }

  mutating func duration(_ path: String, or others: String...) -> Duration {
    if case .duration(let duration)? = take(path, others) { return duration }
    fail(Settings.missing(path, .timeout))
    return .zero
  }

  mutating func optionalDuration(_ path: String) -> Duration? {
    if case .duration(let duration)? = take(path) { duration } else { nil }
  }

  mutating func integer(_ path: String) -> Int {
    if let number = optionalInteger(path) { return number }
    fail(Settings.missing(path, .integer(1...Int.max)))
    return 0
  }

  mutating func optionalInteger(_ path: String) -> Int? {
    if case .integer(let number)? = take(path) { number } else { nil }
  }

  mutating func flag(_ path: String, default defaultValue: Bool? = nil) -> Bool {
    if settings[path] == nil, let defaultValue {
      note(path, .flag(defaultValue), from: .builtIn)
      return defaultValue
    }
    if case .flag(let flag)? = take(path) { return flag }
    fail(Settings.missing(path, .flag))
    return false
  }

  mutating func token(_ path: String) -> AccessToken? {
    if case .token(let token)? = take(path) { token } else { nil }
  }

  mutating func logLevel(_ path: String) -> Logger.Level? {
    if case .logLevel(let level)? = take(path) { level } else { nil }
  }

  /// The path of a file for libcurl, which must be readable.
  mutating func file(_ path: String) -> String? {
    guard failure == nil, case .text(let file)? = take(path), let setting = settings[path] else { return nil }
    if let problem = SystemIO.problem(reading: file, setting.source.kindOfLibraryFiles) {
      fail(setting.refused(expected: "a file that can be read (\(problem))"))
    }
    return file
  }

  /// The path of a directory, which is created when it is needed.
  mutating func path(_ path: String) -> String? {
    if case .text(let text)? = take(path) { text } else { nil }
  }

  mutating func connections() -> ConnectionLimits {
    var limits = ConnectionLimits(
      maximumTransfers: integer("limits.max_transfers"), maximumStreams: integer("limits.max_streams"))
    limits.queueTimeout = optionalDuration("limits.queue_timeout_seconds")
    limits.maximumConnections = optionalInteger("limits.max_connections")
    limits.maximumConnectionsPerHost = optionalInteger("limits.max_connections_per_host")
    limits.maximumKeptConnections = optionalInteger("limits.max_kept_connections")
    return limits
  }

  mutating func grpc() -> GRPCConfiguration {
    var grpc = GRPCConfiguration()
    if case .url(let url)? = take("grpc.gateway_url") { grpc.gatewayURL = url }
    if case .balancing(let balancing)? = take("grpc.balancing") { grpc.balancing = balancing }
    grpc.pingInterval = optionalDuration("grpc.ping_interval_seconds")
    grpc.maximumRequestBytes = integer("grpc.max_request_bytes")
    return grpc
  }

  mutating func proxy() -> HTTPProxy {
    var proxy = HTTPProxy.environment
    if case .proxy(let value)? = take("proxy") { proxy = value }
    if case .proxyExceptions(let hosts)? = take("no_proxy") { proxy.exceptions = hosts }
    return proxy
  }

  mutating func connectTo(_ path: String) -> [ConnectTo] {
    if case .connectTo(let servers)? = take(path) { servers } else { [] }
  }

  mutating func unixSocket(_ path: String, for origin: HTTPOrigin) -> UnixSocket? {
    // Its kind has checked the path.
    if case .text(let text)? = take(path) { try? UnixSocket(path: text, for: [origin]) } else { nil }
  }

  /// What services do differently; only what is set is noted.
  mutating func services() -> [String: ServiceConfiguration] {
    var places: [String: Int] = [:]
    var all: [ServiceConfiguration] = []
    for service in ContractServices.names {
      var configuration = ServiceConfiguration()
      let (url, timeout) = ("services.\(service).base_url", "services.\(service).timeout_seconds")
      let names = "services.\(service).request_names"
      if settings[url] != nil, case .url(let value)? = take(url) { configuration.baseURL = value }
      if settings[timeout] != nil, case .duration(let value)? = take(timeout) { configuration.timeout = value }
      if settings[names] != nil, case .names(let value)? = take(names) { configuration.requestNames = value }
      if configuration != ServiceConfiguration() {
        places.set(all.count, for: service)
        all.append(configuration)
      }
    }
    // A dictionary of these is only ever made here, and a map of another one is the least code that makes it.
    return places.mapValues { all[$0] }
  }

  /// The first of the paths that is set, noted under the first path's name.
  private mutating func take(_ path: String, _ others: [String] = []) -> SettingValue? {
    var setting = settings[path]
    for other in others where setting == nil { setting = settings[other] }
    note(path, setting?.value, from: setting?.source ?? .builtIn)
    return setting?.value
  }
}

import Logging
public import NovaCore

extension APIClient {
  /// The client of programs that want just one, made at its first use from `APIConfig.json` and the environment
  /// variables. It follows ``APIFeatureFlags``.
  ///
  /// If the configuration cannot be used, every call fails and says why.
  public static let shared: APIClient = {
    do {
      let configuration = try APIConfiguration.load()
      APIFeatureFlags.adopt(configuration)
      return APIClient(
        configuration: configuration, transport: SharedTransport(configuration: configuration),
        middlewares: [FlaggedLogging()])
    } catch {
      return APIClient(
        configuration: .builtIn,
        transport: RefusingTransport(TransportError(.unavailable, "\(error)", requestMayHaveLeft: false)))
    }
  }()
}

/// The guide's feature flags, for ``APIClient/shared``. They may be changed at any time; calls that are under way keep
/// what they started with.
public enum APIFeatureFlags {
  private struct Flags {
    var enableMockData: Bool?
    var enableRequestLogging: Bool?
  }

  private static let flags = Locked(Flags())

  /// Whether calls are answered by a mock backend in memory. Default: what the configuration says, which is no.
  public static var enableMockData: Bool {
    get { flags.withLock { $0.enableMockData } ?? false }
    set { flags.withLock { $0.enableMockData = newValue } }
  }

  /// Whether each attempt is logged through swift-log, at debug level under the label `NovaSDK`. Default: what the
  /// configuration says, which is yes in debug builds and no in release builds.
  public static var enableRequestLogging: Bool {
    get { flags.withLock { $0.enableRequestLogging } ?? false }
    set { flags.withLock { $0.enableRequestLogging = newValue } }
  }

  /// Takes the configuration's flags unless the program set its own.
  static func adopt(_ configuration: APIConfiguration) {
    flags.withLock { flags in
      flags.enableMockData = flags.enableMockData ?? configuration.usesMockData
      flags.enableRequestLogging = flags.enableRequestLogging ?? configuration.logsRequests
    }
  }
}

/// Logs while the flag says so.
private struct FlaggedLogging: Middleware {
  private let logging: LoggingMiddleware

  init() {
    var logger = Logger(label: "NovaSDK")
    logger.logLevel = .debug
    logging = LoggingMiddleware(logger: logger, clock: ContinuousClock())
  }

  func intercept(
    _ request: HTTPRequest, _ context: CallContext, next: Next
  ) async throws -> HTTPResponse {
    guard APIFeatureFlags.enableRequestLogging else { return try await next(request) }
    return try await logging.intercept(request, context, next: next)
  }
}

/// Chooses for each request between the mock backend and the network.
private struct SharedTransport: HTTPTransport {
  let mock = LazyTransport { NovaClient.mockTransport() }
  let network: LazyTransport

  init(configuration: APIConfiguration) {
    // The flag decides about the mock.
    var configuration = configuration
    configuration.usesMockData = false
    network = LazyTransport { [configuration] in configuration.makeTransport() }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await (APIFeatureFlags.enableMockData ? mock : network).send(request)
  }

  func shutdown() async { await network.shutdown() }
}

/// A transport that is made at its first request.
private final class LazyTransport: HTTPTransport {
  private let transport = Locked<(any HTTPTransport)?>(nil)
  private let make: @Sendable () -> any HTTPTransport

  init(_ make: @escaping @Sendable () -> any HTTPTransport) { self.make = make }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let transport = transport.withLock { transport in
      let made = transport ?? make()
      transport = made
      return made
    }
    return try await transport.send(request)
  }

  func shutdown() async { await transport.withLock { $0 }?.shutdown() }
}

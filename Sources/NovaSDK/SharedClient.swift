import Logging
public import NovaCore

extension APIClient {
  /// A client for the whole program, created at its first use from `APIConfig.json` and the environment variables. It
  /// follows ``APIFeatureFlags``.
  ///
  /// If the configuration is invalid, every call fails with the reason.
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

/// The guide's feature flags, for ``APIClient/shared``. They can be changed at any time; calls in progress keep the flags
/// they started with.
public enum APIFeatureFlags {
  private struct Flags {
    var enableMockData: Bool?
    var enableRequestLogging: Bool?
  }

  private static let flags = Locked(Flags())

  /// Whether calls go to a mock backend in memory. Default: the configuration's setting, which is `false` unless set.
  public static var enableMockData: Bool {
    get { flags.withLock { $0.enableMockData } ?? false }
    set { flags.withLock { $0.enableMockData = newValue } }
  }

  /// Whether each attempt is logged through swift-log, at debug level with the label `NovaSDK`. Default: the
  /// configuration's setting, which is `true` in debug builds and `false` in release builds unless set.
  public static var enableRequestLogging: Bool {
    get { flags.withLock { $0.enableRequestLogging } ?? false }
    set { flags.withLock { $0.enableRequestLogging = newValue } }
  }

  /// Adopts the configuration's flags unless the program has set them.
  static func adopt(_ configuration: APIConfiguration) {
    flags.withLock { flags in
      flags.enableMockData = flags.enableMockData ?? configuration.usesMockData
      flags.enableRequestLogging = flags.enableRequestLogging ?? configuration.logsRequests
    }
  }
}

/// Logs while the flag is set.
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
    // The flag decides whether the mock is used.
    var configuration = configuration
    configuration.usesMockData = false
    network = LazyTransport { [configuration] in configuration.makeTransport() }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await (APIFeatureFlags.enableMockData ? mock : network).send(request)
  }

  func shutdown() async { await network.shutdown() }
}

/// A transport that is created for its first request.
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

// `GraphService()` as the guide has it: the service on the shared client.
extension NovaService {
  /// The service on ``APIClient/shared``.
  public init() { self.init(client: .shared, options: CallOptions()) }
}

import Logging
public import NovaAuth
public import NovaCore

extension APIClient {
  /// A client for the whole program, created at its first use from `APIConfig.json` and the environment variables. It
  /// follows ``APIFeatureFlags``.
  ///
  /// While a user is signed in at ``NovaClient/shared``, calls carry the token of that session, and otherwise the token
  /// that `setAuthToken` sets. If the configuration is invalid, every call fails with the reason.
  public static var shared: APIClient { SharedClient.nova.client }
}

extension NovaClient {
  /// The services on ``APIClient/shared``. Its ``sessions`` are kept in ``sharedSessionStore``.
  ///
  /// ```swift
  /// try await NovaClient.shared.sessions.signIn(email: email, password: password)
  /// let mine = try await NovaClient.shared.capture.list()
  /// ```
  ///
  /// Mock mode has separate sessions: those of the mock backend, in memory.
  public static var shared: NovaClient { SharedClient.nova }

  /// The store of the session of ``shared``. Default: in memory. Set it when the program starts, before a user signs
  /// in.
  ///
  /// The next call uses a session from the store, and so do `sessions.session()` and `sessions.reload()`.
  public static var sharedSessionStore: any SessionStore {
    get { SharedClient.store.value }
    set { SharedClient.store.value = newValue }
  }
}

/// Switches of the shared client, ``APIClient/shared``: mock data and request logging. They can be changed at any time.
/// Calls in progress keep the backend that they started with.
///
/// A session belongs to the backend at which it began, so set ``enableMockData`` before a user signs in. An `AppState`
/// shows the session of the backend that was in effect when it was created.
public enum APIFeatureFlags {
  private struct Flags {
    var enableMockData: Bool?
    var enableRequestLogging: Bool?
  }

  private static let flags = Locked(Flags())

  /// Whether calls go to a mock backend in memory. Default: the configuration's setting, which is `false` unless set.
  public static var enableMockData: Bool {
    get { flags.withLock { $0.enableMockData } ?? SharedClient.configuration?.usesMockData ?? false }
    set { flags.withLock { $0.enableMockData = newValue } }
  }

  /// Whether each attempt is logged through swift-log, at debug level with the label `NovaSDK`. Default: the
  /// configuration's setting, which is `true` in debug builds and `false` in release builds unless set.
  ///
  /// The logger's level is `debug` if this flag or the configuration's was set; `log_level` takes precedence. In a
  /// debug build that sets neither, the program's own logging setup determines the level.
  public static var enableRequestLogging: Bool {
    get { flags.withLock { $0.enableRequestLogging } ?? SharedClient.configuration?.logsRequests ?? false }
    set { flags.withLock { $0.enableRequestLogging = newValue } }
  }

  /// Whether the program has set ``enableRequestLogging`` to true.
  static var asksForRequestLogs: Bool { flags.withLock { $0.enableRequestLogging } == true }
}

/// The parts of ``NovaClient/shared``.
enum SharedClient {
  private static let loaded: Result<APIConfiguration, any Error> = Result {
    // The services without a client call production in release builds, as the integration guide has it.
    try .load(
      file: .standard, environment: APIConfiguration.processVariables(), overrides: ConfigurationOverrides(),
      context: nil)
  }

  /// The configuration, read once; nil if it is invalid.
  static var configuration: APIConfiguration? { try? loaded.get() }

  static let store = ReplaceableSessionStore()

  static var nova: NovaClient { NovaClient(client: all.client, sessions: sessions, signInClient: all.signIn) }
  /// The sessions of the gateway; in mock mode, those of the mock backend.
  static var sessions: SessionManager { all.tokens.sessions }

  private struct All {
    let client: APIClient
    let signIn: APIClient
    let tokens: SharedTokens
  }

  private static let all: All = {
    switch loaded {
    case .success(let configuration): return make(configuration, [SharedSteps(configuration)])
    case .failure(let error):
      let reason = APIError(.failedPrecondition, "the configuration is invalid", reason: "\(error)")
      return make(.builtIn, [Refusal(reason)])
    }
  }()

  /// The transport to the gateway, created by the first call that uses it.
  fileprivate static let network: any HTTPTransport = {
    var settings = SharedClient.configuration ?? .builtIn
    // The flag decides whether the mock is used.
    settings.usesMockData = false
    return settings.makeTransport()
  }()

  private static func make(_ configuration: APIConfiguration, _ middlewares: [any Middleware]) -> All {
    // Sign-ins and refreshes must not wait for the token that they request, and a session belongs to one backend.
    func sessions(in store: any SessionStore, isMock: Bool) -> (manager: SessionManager, client: APIClient) {
      var configuration = configuration
      configuration.usesMockData = isMock
      let transport = SharedTransport(fixed: isMock)
      let client = APIClient(configuration: configuration, transport: transport, tokens: StoredToken()) {
        $0.middlewares = middlewares
      }
      return (SessionManager(store: store, auth: AuthService(client: client)), client)
    }
    let (gateway, signIn) = sessions(in: store, isMock: false)
    let (mock, _) = sessions(in: MemorySessionStore(), isMock: true)
    let tokens = SharedTokens(
      store: store, gateway: gateway, mock: mock, storedToken: StoredToken(configuration.token))
    let client = APIClient(configuration: configuration, transport: SharedTransport(fixed: nil), tokens: tokens) {
      $0.middlewares = middlewares
    }
    return All(client: client, signIn: signIn, tokens: tokens)
  }
}

/// Keeps the backend of a call, and logs attempts while the flag is set.
private struct SharedSteps: Middleware {
  /// Whether the mock backend answers the current call.
  @TaskLocal static var isMock: Bool?

  /// The logging for programs that set the flag, and for other ones.
  private let asked: LoggingMiddleware
  private let unasked: LoggingMiddleware
  private let configuration: APIConfiguration

  init(_ configuration: APIConfiguration) {
    self.configuration = configuration
    func logging(isAsked: Bool) -> LoggingMiddleware {
      LoggingMiddleware(
        logger: configuration.logger(isAsked: isAsked), clock: ContinuousClock(),
        options: LogOptions(bodyBytes: configuration.logBodyBytes))
    }
    asked = logging(isAsked: true)
    unasked = logging(isAsked: configuration.asksForRequestLogs)
  }

  func intercept(
    _ request: HTTPRequest, _ context: CallContext, next: @escaping Next
  ) async throws -> HTTPResponse {
    if context.isMock { MockNotice.shared.post(to: .sdk, configuration) }
    return try await Self.$isMock.withValue(context.isMock) {
      // A call with a logger of its own is logged there.
      guard APIFeatureFlags.enableRequestLogging, context.options.logger == nil else { return try await next(request) }
      return try await (APIFeatureFlags.asksForRequestLogs ? asked : unasked).intercept(request, context, next: next)
    }
  }
}

/// Fails every call with the same error.
private struct Refusal: Middleware {
  private let error: APIError

  init(_ error: APIError) { self.error = error }

  func intercept(
    _ request: HTTPRequest, _ context: CallContext, next: @escaping Next
  ) async throws -> HTTPResponse { throw error }
}

/// Sends requests to the mock backend or to the network.
private struct SharedTransport: MockingTransport {
  /// Whether it always uses the mock backend (true) or the network (false); nil to follow the flag for each call.
  let fixed: Bool?

  var isMock: Bool { fixed ?? APIFeatureFlags.enableMockData }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let usesMock = fixed ?? SharedSteps.isMock ?? isMock
    return try await (usesMock ? NovaClient.mockTransport(isShared: true) : SharedClient.network).send(request)
  }
}

// `GraphService()` as the guide has it: the service on the shared client.
extension NovaService {
  /// The service on ``APIClient/shared``.
  public init() { self.init(client: .shared, options: CallOptions()) }
}

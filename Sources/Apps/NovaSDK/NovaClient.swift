import Logging
public import NovaAuth
public import NovaCore
public import NovaRegistry

/// All of NovaSocial's services on one client.
///
/// Create one client for the whole program, with `NovaClient()` for the configured gateway or `NovaClient.mock()` for a
/// mock backend, and use it from any number of tasks.
///
/// ```swift
/// let nova = try NovaClient()
/// let page = try await nova.graph.getFollowers(userId: "mock-user-id", limit: 10)
/// print(page.userIds, page.totalCount)
/// ```
///
/// A server that acts for many users still has one client. ``with(_:)`` gives all services for one request:
///
/// ```swift
/// let mine = nova.with { $0.token = token }
/// let post = try await mine.content.createPost(creatorId: id, content: "Hello")
/// ```
public struct NovaClient: ClientHolding, NovaServices {
  /// The client that makes the calls.
  public let client: APIClient
  /// The options of every call made through this value.
  public var options = CallOptions()
  private let sessionManager: SessionManager?
  /// Signs in and refreshes, without the session's token.
  private let signInClient: APIClient?

  /// Creates the services on a client.
  public init(client: APIClient) {
    self.init(client: client, sessions: nil, signInClient: nil)
  }

  init(client: APIClient, sessions: SessionManager?, signInClient: APIClient?) {
    self.client = client
    sessionManager = sessions
    self.signInClient = signInClient
  }

  /// Signs users in and out, and keeps their sessions.
  ///
  /// ```swift
  /// let nova = NovaClient(configuration: try .load(), sessionStore: MemorySessionStore())
  /// let session = try await nova.sessions.signIn(email: email, password: password)
  /// ```
  /// - Throws: ``APIError`` with the code `failedPrecondition` for a client without a session store.
  public var sessions: SessionManager {
    get throws {
      if let sessionManager { return sessionManager }
      throw APIError(
        .failedPrecondition,
        "no session store: create the client with NovaClient(configuration:sessionStore:)")
    }
  }

  /// Returns a copy whose calls have other options: a token, a deadline, a logger. The copy uses the same client.
  ///
  /// ```swift
  /// let mine = nova.with { $0.token = token }
  /// ```
  /// - Parameter change: changes the options of the copy.
  public func with(_ change: (inout CallOptions) throws -> Void) rethrows -> NovaClient {
    var copy = self
    try change(&copy.options)
    return copy
  }

  /// Shuts the client down: new calls fail with `cancelled`, calls, sign-ins and refreshes in progress finish, and then
  /// the connections close. A transport, a store, or a tracker that you have passed remains usable for other clients.
  ///
  /// ```swift
  /// let nova = try NovaClient()
  /// defer { Task { await nova.shutdown() } }
  /// ```
  /// - Parameter grace: how long to wait for calls in progress, at most a day; after that they fail. Default 30 s.
  public func shutdown(grace: Duration = .seconds(30)) async {
    await APIClient.shutdown([client] + (signInClient.map { [$0] } ?? []), grace: grace)
  }

  /// Creates the services from a configuration: with the mock backend if it is set, otherwise with libcurl.
  ///
  /// ```swift
  /// let nova = NovaClient(configuration: try .load()) { $0.middlewares = [HTTPClientMetrics()] }
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: the gateway and the settings of calls.
  ///   - transport: the transport of requests. Default: the configuration's choice.
  ///   - tokens: the source of bearer tokens. Default: the configuration's token.
  ///   - change: changes the client's options: middlewares, retries, an observer, a logger, a store, a tracker, a
  ///     clock. Default: no change.
  public init(
    configuration: APIConfiguration,
    transport: (any HTTPTransport)? = nil,
    tokens: (any TokenProvider)? = nil,
    with change: (inout ClientOptions) -> Void = { _ in }
  ) {
    let options = Self.options(configuration, transport: transport, with: change)
    self.init(
      client: APIClient(
        configuration: configuration, transport: transport ?? Self.noticedTransport(configuration, options.logger),
        ownsTransport: transport == nil, tokens: tokens, options: options))
  }

  /// Creates the services for a user who signs in. Every call carries the token of the session in `sessionStore`, which
  /// is refreshed in time.
  ///
  /// ```swift
  /// let nova = NovaClient(configuration: try .load(), sessionStore: FileSessionStore(path: path))
  /// try await nova.sessions.signIn(email: email, password: password)
  /// ```
  ///
  /// The configuration's own token is not used.
  ///
  /// - Parameters:
  ///   - configuration: the gateway and the settings of calls.
  ///   - sessionStore: the store of the session.
  ///   - refreshing: when to refresh the session.
  ///   - transport: the transport of requests. Default: the configuration's choice.
  ///   - change: changes the client's options, as in ``init(configuration:transport:tokens:with:)``. Default: no
  ///     change.
  public init(
    configuration: APIConfiguration,
    sessionStore: any SessionStore,
    refreshing: RefreshPolicy = RefreshPolicy(),
    transport: (any HTTPTransport)? = nil,
    with change: (inout ClientOptions) -> Void = { _ in }
  ) {
    let options = Self.options(configuration, transport: transport, with: change)
    let ownsTransport = transport == nil
    let transport = transport ?? Self.noticedTransport(configuration, options.logger)
    // Sign-ins and refreshes must not wait for the token that they request.
    var signInOptions = options
    (signInOptions.store, signInOptions.tracker) = (nil, nil)
    let signInClient = APIClient(
      configuration: configuration, transport: transport, ownsTransport: ownsTransport, tokens: StoredToken(),
      options: signInOptions)
    let sessions = SessionManager(
      store: sessionStore, auth: AuthService(client: signInClient), policy: refreshing, clock: options.clock)
    let client = APIClient(
      configuration: configuration, transport: transport, ownsTransport: ownsTransport, tokens: sessions,
      options: options)
    self.init(client: client, sessions: sessions, signInClient: signInClient)
  }

  /// The options of a client: with the configuration's logger if the program passes none.
  private static func options(
    _ configuration: APIConfiguration, transport: (any HTTPTransport)?, with change: (inout ClientOptions) -> Void
  ) -> ClientOptions {
    var options = ClientOptions()
    change(&options)
    options.logger = options.logger ?? configuration.requestLogger
    return options.resolved(for: configuration, transport: transport)
  }

  /// Creates the services from `APIConfig.json` and the environment variables.
  ///
  /// A debug build without settings calls `http://localhost:8080`. A release build requires a setting for the gateway,
  /// for example `NOVA_ENVIRONMENT=production`.
  ///
  /// - Throws: ``ConfigurationError`` with the key, value, and source; in release builds also without a setting for the
  ///   gateway.
  public init() throws { self.init(configuration: try .load()) }

  /// The transport that the configuration chooses.
  package static func transport(_ configuration: APIConfiguration) -> any HTTPTransport {
    // The mock sends nothing, so it works offline.
    configuration.usesMockData ? mockTransport(isShared: false) : configuration.makeTransport()
  }

  /// The transport that the configuration chooses. Logs mock mode, once per program.
  private static func noticedTransport(_ configuration: APIConfiguration, _ logger: Logger?) -> any HTTPTransport {
    if configuration.usesMockData { MockNotice.shared.post(to: logger ?? .sdk, configuration) }
    return transport(configuration)
  }
}

extension APIConfiguration {
  /// The logger of calls if the program passes none; nil if requests are not logged.
  ///
  /// Debug builds log requests by default. But swift-log's default handler writes to standard error, which must not
  /// fill up in programs that did not request logs. So the program's own logging setup determines whether `debug` is
  /// shown, unless the flag is set explicitly.
  var requestLogger: Logger? {
    logsRequests ? logger(isAsked: asksForRequestLogs) : nil
  }

  /// The SDK's logger, at the configured level, or else at `debug` if the program requested logs.
  func logger(isAsked: Bool) -> Logger {
    var logger = Logger.sdk
    if let level = logLevel ?? (isAsked ? .debug : nil) { logger.logLevel = level }
    return logger
  }

  /// Whether the flag was set explicitly, not by the kind of build.
  package var asksForRequestLogs: Bool {
    logsRequests && entries.contains { $0.key == "flags.request_logging" && $0.source != .builtIn }
  }
}

extension Logger {
  /// The logger of programs that pass none.
  static var sdk: Logger { Logger(label: "NovaSDK") }
}

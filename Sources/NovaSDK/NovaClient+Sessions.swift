public import Logging
public import NovaAuth
public import NovaCore

extension NovaClient {
  /// Creates the services for a user who signs in: every call carries the token of the session in `sessionStore`, which is
  /// refreshed in time.
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
  ///   - middlewares: additional steps of every attempt.
  ///   - resilience: retries and the circuit breaker. Default: the configuration's settings, with a budget and a breaker
  ///     that the clients of a gateway share.
  ///   - observer: observes every call, including sign-ins and refreshes.
  ///   - logger: the logger of attempts, at debug level. Default: as in
  ///     ``init(configuration:transport:tokens:middlewares:resilience:observer:logger:store:tracker:clock:)``.
  ///   - store: answers reads offline, and keeps writes until they can be sent. Forgets what was read when the user
  ///     signs out. Default: none.
  ///   - tracker: receives the events of what users do. Default: none.
  ///   - clock: measures and waits, also for the session's expiry; in tests a `ManualClock` of NovaTesting. Default: the
  ///     system's.
  public init(
    configuration: APIConfiguration,
    sessionStore: any SessionStore,
    refreshing: RefreshPolicy = RefreshPolicy(),
    transport: (any HTTPTransport)? = nil,
    middlewares: [any Middleware] = [],
    resilience: Resilience = Resilience(),
    observer: (any CallObserver)? = nil,
    logger: Logger? = nil,
    store: (any CallStore)? = nil,
    tracker: (any Tracker)? = nil,
    clock: any CallClock = ContinuousClock()
  ) {
    let logger = logger ?? configuration.requestLogger
    let ownsTransport = transport == nil
    // Once for both clients, which share them whatever the transport is.
    let resilience = resilience.resolved(for: configuration, transport: transport, clock: clock)
    let transport = transport ?? Self.noticedTransport(configuration, logger)
    func client(
      _ tokens: any TokenProvider, _ store: (any CallStore)? = nil, _ tracker: (any Tracker)? = nil
    ) -> APIClient {
      APIClient(
        configuration: configuration, transport: transport, ownsTransport: ownsTransport, tokens: tokens,
        middlewares: middlewares, resilience: resilience, observer: observer, logger: logger, store: store,
        tracker: tracker, clock: clock)
    }
    // Sign-ins and refreshes must not wait for the token that they request.
    let plain = client(StoredToken())
    let sessions = SessionManager(
      store: sessionStore, auth: AuthService(client: plain), policy: refreshing, clock: clock)
    self.init(
      client: client(sessions, store, tracker), sessions: sessions, signInClient: plain)
  }
}

public import Logging
public import NovaAuth
public import NovaCore

extension NovaClient {
  /// Creates the services for somebody who signs in: every call carries the token of the session in `store`, which is
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
  ///   - configuration: where the gateway is and how to speak to it.
  ///   - store: where the session is kept.
  ///   - refreshing: when the session is refreshed.
  ///   - transport: what carries requests, in place of the configuration's choice.
  ///   - middlewares: more steps for every attempt.
  ///   - resilience: what is tried again, and when a host is left alone. Default: the configuration's numbers.
  ///   - observer: is told of every call, those that sign in and refresh included.
  ///   - logger: where attempts are logged, at debug level. Default: as in
  ///     ``init(configuration:transport:tokens:middlewares:resilience:observer:logger:)``.
  public init(
    configuration: APIConfiguration,
    sessionStore store: any SessionStore,
    refreshing: RefreshPolicy = RefreshPolicy(),
    transport: (any HTTPTransport)? = nil,
    middlewares: [any Middleware] = [],
    resilience: Resilience = Resilience(),
    observer: (any CallObserver)? = nil,
    logger: Logger? = nil
  ) {
    let (transport, logger) = (transport ?? Self.transport(configuration), logger ?? configuration.requestLogger)
    func client(_ tokens: any TokenProvider) -> APIClient {
      APIClient(
        configuration: configuration, transport: transport, tokens: tokens, middlewares: middlewares,
        resilience: resilience, observer: observer, logger: logger)
    }
    // What signs in and refreshes must not ask for the token that it is to bring.
    let plain = client(StoredToken())
    let sessions = SessionManager(store: store, auth: AuthService(client: plain), policy: refreshing)
    self.init(client: client(sessions), sessions: sessions, signInClient: plain)
  }
}

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
  ///   - change: changes the client's options, as in ``init(configuration:transport:tokens:with:)``. Default: each has its
  ///     default.
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
}

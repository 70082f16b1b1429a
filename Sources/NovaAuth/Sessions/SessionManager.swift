public import NovaCore

/// Keeps somebody signed in: stores the session, hands out its access token, and gets the next one in time.
///
/// ```swift
/// let plain = APIClient(configuration: configuration, transport: transport)
/// let sessions = SessionManager(store: MemorySessionStore(), auth: AuthService(client: plain))
/// try await sessions.signIn(email: email, password: password)
/// let client = APIClient(configuration: configuration, transport: transport, tokens: sessions)
/// ```
///
/// However many ask, one refresh runs, in this process and, with a ``FileSessionStore``, among all that share the file.
/// A token that is still good is handed out at once, while the next one is got in the background. A refresh that fails
/// is tried again by the next who asks; only when the server refuses the refresh token the session is over.
///
/// A session is used only with the gateway that opened it: one that the store has for another origin counts as none.
public final class SessionManager: Sendable {
  /// Gets a new access token. It must not use a client that asks this manager for tokens, unless for RPCs that need
  /// none, as Refresh is. An ``APIError`` `unauthorized` without a response ends the session, as the service's own refusal
  /// does; every other error keeps it.
  public typealias Refresh = @Sendable (RefreshToken) async throws -> RefreshResponse

  /// Scheme, host and port of the gateway that the session is for.
  public let origin: String

  let store: any SessionStore
  let auth: AuthService
  let customRefresh: Refresh?
  let policy: RefreshPolicy
  let clock: any CallClock
  let state = Locked(SessionState())
  let flight = SingleFlight<Session?>()
  let observers = SessionObservers()
  private let closing = SingleFlight<Void>()

  /// Creates a manager; nothing is read or sent yet.
  ///
  /// - Parameters:
  ///   - store: where the session is kept.
  ///   - auth: the service for signing in and out and, unless `refresh` is given, for refreshing. Any client will do:
  ///     what the manager calls needs no token or carries its own.
  ///   - policy: when to refresh.
  ///   - clock: what expiry is judged by, together with what the server's clock is seen to say.
  ///   - refresh: another way to refresh.
  public init(
    store: any SessionStore, auth: AuthService, policy: RefreshPolicy = RefreshPolicy(),
    clock: any CallClock = ContinuousClock(), refresh: Refresh? = nil
  ) {
    self.store = store
    self.auth = auth
    self.policy = policy
    self.clock = clock
    customRefresh = refresh
    origin = CredentialSafety.origin(
      of: auth.client.configuration.baseURL(for: AuthRPC.refresh.descriptor.service))
  }

  /// The session as it is known now, without asking the store or the server; its access token may have expired.
  public var current: Session? { state.withLock { $0.closing == 0 ? $0.entry?.session : nil } }

  /// What happens to the session from now on. Each call gives a stream of its own; of one that nobody reads, the last
  /// 64 changes are kept.
  public var updates: AsyncStream<SessionChange> { observers.stream() }

  /// The session with an access token that can be used, refreshed if that is due; nil when nobody is signed in.
  ///
  /// It takes at most ``RefreshPolicy/timeout``.
  ///
  /// - Throws: ``APIError``, `unauthorized` when a new sign-in is needed, `timeout` when there is none in time;
  ///   ``SessionStoreError`` or what another store throws; `CancellationError`.
  public func session() async throws -> Session? {
    try requireOutsideRefresh()
    if let session = usableSession() { return session }
    return try await orStillGood {
      try await Race.run(until: deadline, clock, timeUp: noSessionInTime()) { try await self.joinRefresh() }
    }
  }

  /// The result of `renew`, or the current session if it is still usable.
  func orStillGood(_ renew: () async throws -> Session?) async throws -> Session? {
    do {
      return try await renew()
    } catch {
      // The token that was to be replaced may have some time left. Whoever was cancelled wants none.
      if !Task.isCancelled, let session = stillGood() { return session }
      throw error
    }
  }

  /// Waits for the current refresh, or starts one.
  func joinRefresh() async throws -> Session? {
    let isLate = flight.isRunning
    do {
      return try await flight.join { try await self.renew() }
    } catch let error as APIError where error.code == .timeout && isLate {
      // The refresh reached another caller's deadline. Later callers have time left, and start the next refresh.
      return try await flight.join { try await self.renew() }
    }
  }

  /// Looks into the store again, for what another process may have done there.
  ///
  /// - Throws: what the store throws.
  public func reload() async throws {
    let version = state.withLock { $0.version }
    let stored = try await store.load()
    adopt(stored, unless: version)
  }

  /// Returns once no refresh is under way. Programs that end should wait for this: a refresh that is cut off can cost
  /// the session.
  public func waitForRefresh() async { await flight.rest() }

  /// Saves a session whose newest tokens the store did not take (``SessionChange/storeFailed(_:)``); does nothing if
  /// the store has them. Call it before your program exits: otherwise the next one may find invalidated tokens.
  ///
  /// - Throws: what the store throws when it fails again; ``APIError`` `timeout` when it cannot be locked in time.
  public func saveUnsaved() async throws {
    try requireOutsideRefresh()
    guard state.withLock({ $0.unsaved != nil }) else { return }
    try await exclusively(until: deadline) {
      guard let (session, before) = self.state.withLock({ $0.unsaved }) else { return }
      let version = self.state.withLock { $0.version }
      let stored = try await self.store.load()
      // A session that was written since then is newer.
      guard stored == before else { return self.adopt(stored, unless: version) }
      let new = StoredSession(session: session, origin: self.origin)
      try await self.store.save(new)
      self.set(session, stored: new)
    }
  }

  // MARK: Signing in and out

  /// Opens an account and a session, and keeps the session in place of the one before.
  ///
  /// - Throws: ``AuthError``; ``APIError``; what the store throws, and then nobody is signed in.
  @discardableResult
  public func signUp(email: String, username: String, password: String) async throws -> Session {
    try await keep { [auth, clock] deadline in
      try await auth.openedSignUp(
        email: email, username: username, password: password, clock: clock, until: deadline)
    }
  }

  /// Opens a session and keeps it in place of the one before, which the server still honours until it expires.
  ///
  /// - Throws: ``AuthError``; ``APIError``; what the store throws, and then nobody is signed in.
  @discardableResult
  public func signIn(email: String, password: String) async throws -> Session {
    try await keep { [auth, clock] deadline in
      try await auth.openedSignIn(email: email, password: password, clock: clock, until: deadline)
    }
  }

  /// Ends the session: first here and in the store, then at the server. Succeeds when nobody is signed in.
  ///
  /// It goes on when the waiting task is cancelled.
  ///
  /// - Throws: ``APIError`` when the server could not be told. The session is gone from here all the same; whoever has
  ///   its tokens may use them until they expire. What the store throws when it could not be cleared.
  public func signOut() async throws {
    try requireOutsideRefresh()
    try await closing.join { try await self.close() }
  }

  private func keep(_ open: (_ deadline: ContinuousClock.Instant) async throws -> OpenedSession) async throws -> Session
  {
    try requireOutsideRefresh()
    let deadline = deadline
    // Fails before a password is sent if the store cannot be used.
    try await exclusively(until: deadline) {}
    let opened = try await open(deadline)
    if let time = opened.serverTime { serverTime(time) }
    let stored = StoredSession(session: opened.session, origin: origin)
    do {
      try await exclusively(until: deadline) {
        try await self.store.save(stored)
        self.set(opened.session, stored: stored)
      }
    } catch {
      // Nobody will ever use it.
      try? await auth.ending(at: deadline, clock).signOut(opened.session)
      throw error
    }
    return opened.session
  }
}

extension SessionManager: CustomStringConvertible, CustomReflectable {
  public var description: String { "SessionManager(\(origin), \(current.map(\.description) ?? "no session"))" }
  public var customMirror: Mirror { Mirror(self, children: ["origin": origin, "session": current as Any]) }
}

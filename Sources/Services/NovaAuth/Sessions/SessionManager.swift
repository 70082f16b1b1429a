public import NovaCore

/// Keeps a user signed in: stores the session, provides its access token, and refreshes it in time.
///
/// ```swift
/// let plain = APIClient(configuration: configuration, transport: transport)
/// let sessions = SessionManager(store: MemorySessionStore(), auth: AuthService(client: plain))
/// try await sessions.signIn(email: email, password: password)
/// let client = APIClient(configuration: configuration, transport: transport, tokens: sessions)
/// ```
///
/// Only one refresh runs at a time, however many callers need a token: in this process and, with a
/// ``FileSessionStore``, in all processes that share the file. Calls use a token that is still valid while the next one
/// is requested in the background. A failed refresh is repeated for the next caller. The session ends only if the
/// server refuses the refresh token.
///
/// Without a session, calls that require a token fail with `unauthorized` before anything is sent.
///
/// A session is used only with the gateway that opened it. A stored session for another origin is ignored.
public final class SessionManager: Sendable {
  /// Requests a new access token. The closure must not use a client with this session manager, except for RPCs that
  /// require no token, such as Refresh. An ``APIError`` `unauthorized` without a response ends the session, as a
  /// refusal by the service does; every other error keeps it.
  public typealias Refresh = @Sendable (RefreshToken) async throws -> RefreshResponse

  private let auth: AuthService
  private let policy: RefreshPolicy
  private let clock: any CallClock
  private let cache: SessionCache
  private let storage: SessionStorage
  private let exchange: TokenExchange
  private let refresh: SessionRefresh
  private let clockSaving: ClockSaving
  private let refreshes = SingleFlight<NoKey, Session?>()
  private let signOuts = SingleFlight<NoKey, Void>()
  private let signOutHandlers = Locked<[@Sendable (String) async -> Void]>([])

  /// Creates a session manager. Reads and sends nothing yet.
  ///
  /// - Parameters:
  ///   - store: the store of the session.
  ///   - auth: the service for signing in and out and, without `refresh`, for refreshing. Its client needs no tokens:
  ///     the manager's calls require none or carry their own.
  ///   - policy: when to refresh.
  ///   - clock: the clock for expiry, corrected by the server's clock once that is known.
  ///   - refresh: a custom way to refresh. Default: the RPC Refresh.
  public init(
    store: any SessionStore, auth: AuthService, policy: RefreshPolicy = RefreshPolicy(),
    clock: any CallClock = ContinuousClock(), refresh: Refresh? = nil
  ) {
    self.auth = auth
    self.policy = policy
    self.clock = clock
    cache = SessionCache(
      origin: auth.client.configuration.sessionOrigin, policy: policy, clock: clock)
    storage = SessionStorage(store, auth: auth, limit: policy.timeout, clock: clock)
    exchange = TokenExchange(auth: auth, customRefresh: refresh, cache: cache, storage: storage, clock: clock)
    self.refresh = SessionRefresh(cache: cache, storage: storage, exchange: exchange)
    clockSaving = ClockSaving(cache: cache, storage: storage)
  }

  /// The origin of the gateway that the session is for: scheme, host, and port. For a configuration with mock data, it
  /// is `mock:`, so that the session of a mock backend is never sent to a gateway, nor the reverse.
  public var origin: String { cache.origin }

  /// The session in memory. Does not read the store or call the server. Its access token may have expired.
  public var current: Session? { cache.current }

  /// The changes of the session from now on. Each access creates a stream, which buffers the latest 64 changes. To miss
  /// no change, access it before you read ``current``.
  public var updates: AsyncStream<SessionChange> { cache.updates }

  /// Returns the session with a usable access token, refreshed if that is due; nil if no user is signed in.
  ///
  /// Takes at most ``RefreshPolicy/timeout``.
  ///
  /// - Throws: ``APIError``, `unauthorized` if a new sign-in is required, `timeout` if no session is ready in time;
  ///   ``SessionStoreError`` or the error of another store; `cancelled` if the task is cancelled.
  public func session() async throws -> Session? {
    try refresh.requireOutside()
    if let session = usableSession { return session }
    return try await cancelledAsCalls {
      try await usableSession(or: {
        try await storage.bounded(until: storage.deadline) { try await self.joinRefresh() }
      })
    }
  }

  /// Reads the store again, to find changes by other processes.
  ///
  /// - Throws: what the store throws.
  public func reload() async throws {
    let version = cache.version
    cache.adopt(try await cancelledAsCalls { try await storage.store.load() }, unless: version)
  }

  /// Waits until no refresh is in progress. Call it before your program exits, because an interrupted refresh can end
  /// the session.
  public func waitForRefresh() async {
    await refreshes.rest()
    await clockSaving.rest()
  }

  /// Saves a session whose latest tokens the store could not save (``SessionChange/storeFailed(_:)``). Has no effect if
  /// they are saved. Call it before your program exits; otherwise, the next program may find invalidated tokens.
  ///
  /// - Throws: what the store throws if it fails again; ``APIError`` `timeout` if it cannot be locked in time.
  public func saveUnsaved() async throws {
    try refresh.requireOutside()
    guard cache.unsaved != nil else { return }
    try await cancelledAsCalls {
      try await storage.exclusively(until: storage.deadline) { [cache, storage] in
        guard let (session, before) = cache.unsaved else { return }
        let version = cache.version
        let stored = try await storage.store.load()
        // A session that was written since then is newer.
        guard stored.isSame(as: before) else { return cache.adopt(stored, unless: version) }
        let new = cache.stored(session)
        try await storage.store.save(new)
        cache.set(session, stored: new)
      }
    }
  }

  // MARK: Refreshing

  /// Whether a refresh is in progress, and how many callers wait for it.
  var refreshStatus: (isRunning: Bool, waiterCount: Int) { (refreshes.isRunning, refreshes.waiterCount) }

  /// The session if its token can be sent. Starts a refresh in the background if that is due.
  private var usableSession: Session? {
    let (session, isDue) = cache.usableAndDue
    guard let session, isDue else { return session }
    guard policy.refreshesInBackground else { return nil }
    refreshes.start { [refresh] in try await refresh.run() }
    return session
  }

  /// Returns the result of `renew`. If that fails, returns the current session if its token is still valid.
  private func usableSession(or renew: () async throws -> Session?) async throws -> Session? {
    do {
      return try await renew()
    } catch {
      if !Task.isCancelled, let session = cache.usable { return session }
      throw error
    }
  }

  /// Waits for the current refresh, or starts one.
  private func joinRefresh() async throws -> Session? {
    let isLate = refreshes.isRunning
    do {
      return try await refreshes.join { [refresh] in try await refresh.run() }
    } catch let error as APIError where error.code == .timeout && isLate {
      // The refresh reached the deadline of an earlier caller. Later callers have time left for the next refresh.
      return try await refreshes.join { [refresh] in try await refresh.run() }
    }
  }

  // MARK: Signing in and out

  /// Opens an account and a session, which replaces the earlier one.
  ///
  /// If the task is cancelled while the session is being saved, the user is signed in nevertheless.
  ///
  /// - Parameters: as for ``AuthService/signUp(email:username:password:)``.
  /// - Throws: ``AuthError``; ``APIError``; the store's error, and then the earlier session is kept.
  @discardableResult
  public func signUp(email: String, username: String, password: String) async throws -> Session {
    try await open { [auth, clock] deadline in
      try await auth.openedSignUp(email: email, username: username, password: password, clock: clock, until: deadline)
    }
  }

  /// Opens a session, which replaces the earlier one. The server accepts the earlier session until it expires.
  ///
  /// If the task is cancelled while the session is being saved, the user is signed in nevertheless.
  ///
  /// - Parameters: as for ``AuthService/signIn(email:password:)``.
  /// - Throws: ``AuthError``; ``APIError``; the store's error, and then the earlier session is kept.
  @discardableResult
  public func signIn(email: String, password: String) async throws -> Session {
    try await open { [auth, clock] deadline in
      try await auth.openedSignIn(email: email, password: password, clock: clock, until: deadline)
    }
  }

  private func open(_ request: SessionOpening.Request) async throws -> Session {
    try refresh.requireOutside()
    let opening = SessionOpening(auth: auth, cache: cache, storage: storage, clock: clock)
    return try await cancelledAsCalls { try await opening.run(request) }
  }

  /// Ends the session: first here and in the store, then at the server. Succeeds if no user is signed in.
  ///
  /// Continues when the waiting task is cancelled.
  ///
  /// - Throws: ``APIError`` if the session could not be ended at the server. It is removed here nevertheless, but its
  ///   tokens stay valid until they expire. What the store throws if it could not be cleared.
  public func signOut() async throws {
    try refresh.requireOutside()
    let signOut = SignOut(auth: auth, cache: cache, storage: storage, exchange: exchange, clock: clock)
    try await cancelledAsCalls {
      try await signOuts.join { [self] in
        // Read before the session is removed. An unreadable session has no user.
        let user = try? await currentUser()
        let result: Result<Void, any Error>
        do { result = .success(try await signOut.run()) } catch { result = .failure(error) }
        if let user, !(current?.user.id).hasSameBytes(as: user) {
          for handler in signOutHandlers.withLock({ $0 }) { await handler(user) }
        }
        try result.get()
      }
    }
  }

  /// Runs `body`, and throws a cancellation of the waiting task as calls do.
  private func cancelledAsCalls<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    do { return try await body() } catch { throw APIError.seenByCallers(error) }
  }
}

extension SessionManager: TokenProvider {
  /// The access token, if it is known and valid. Starts a refresh in the background if that is due.
  public var availableToken: AccessToken? { usableSession?.accessToken }

  /// The access token, refreshed if necessary.
  ///
  /// - Throws: ``APIError``: `unauthorized` if no user is signed in, `failedPrecondition` if the store fails,
  ///   `cancelled` if the task is cancelled.
  public func accessToken() async throws -> AccessToken? {
    do {
      try refresh.requireOutside()
      if let session = usableSession { return session.accessToken }
      // Each caller has its own deadline.
      if let session = try await usableSession(or: joinRefresh) { return session.accessToken }
    } catch {
      throw Self.callError(error)
    }
    throw APIError(
      .unauthorized, "not signed in", reason: "the session store has no session for \(origin)", advice: "sign in first")
  }

  /// Returns another access token than `refused`; nil if another user is signed in.
  ///
  /// - Throws: as ``accessToken()``.
  public func replacement(for refused: AccessToken) async throws -> AccessToken? {
    try refresh.requireOutside()
    // Another user's session is no replacement, and must not be refreshed for it.
    if let user = refused.user, let current = current?.user.id, !current.hasSameBytes(as: user) {
      return nil
    }
    // A refresh that began before the refusal may return the refused token. The next one does not.
    for _ in 0..<2 {
      if let other = cache.refuse(refused) { return other }
      do {
        guard let session = try await joinRefresh() else { return nil }
        if session.accessToken != refused { return session.accessToken }
      } catch {
        throw Self.callError(error)
      }
    }
    return nil
  }

  /// The ID of the signed-in user, even if the access token has expired. Reads the store, and calls no server.
  ///
  /// - Throws: what the store throws.
  public func currentUser() async throws -> String? {
    if cache.entry == nil { try await reload() }
    return current?.user.id
  }

  /// Calls `body` with the user's ID after each ``signOut()`` that removes the session here, before it returns.
  public func onSignOut(_ body: @escaping @Sendable (_ user: String) async -> Void) {
    signOutHandlers.withLock { $0.append(body) }
  }

  /// Records the time of the server's clock. A change of more than 10 s is saved with the session, in the background.
  public func serverTime(_ unixSeconds: Int64) {
    if cache.serverTime(unixSeconds) { clockSaving.start() }
  }

  /// The error for a call that needs a token.
  package static func callError(_ error: any Error) -> any Error {
    let error = APIError.seenByCallers(error)
    if error is APIError { return error }
    let store = error as? SessionStoreError
    var failure = APIError(
      store?.kind == .unavailable ? .unavailable : .failedPrecondition, "the session cannot be used",
      reason: store.map { "\($0)" } ?? "its store failed with \(type(of: error))")
    // It says nothing about the call itself, which must not count as refused.
    failure.isOfRefresh = true
    return failure
  }
}

extension SessionManager: CustomStringConvertible, CustomReflectable {
  public var description: String { "SessionManager(\(origin), \(current.map(\.description) ?? "no session"))" }
  public var customMirror: Mirror { Mirror(self, children: ["origin": origin, "session": current as Any]) }
}

extension APIConfiguration {
  /// The origin of the sessions of clients with this configuration.
  package var sessionOrigin: String {
    usesMockData ? "mock:" : baseURL(for: AuthRPC.refresh.descriptor.service).origin.text
  }
}

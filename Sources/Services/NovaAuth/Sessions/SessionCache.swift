import NovaCore

/// The session in memory, which needs no access to the store or the server. Reports each change.
final class SessionCache: Sendable {
  struct Entry {
    var session: Session
    /// When to replace the access token, in seconds of the server's clock.
    var refreshAt: Double
    /// The content of the store when it was last read or written.
    var stored: StoredSession?
  }

  fileprivate struct State {
    var entry: Entry?
    /// Increases with each change, so that a value that was read earlier does not undo a later change.
    var version = 0
    var clock = SessionClock()
    /// A token that the gateway refused, which is as unusable as an expired one.
    var refused: AccessToken?
    /// When a failed refresh may be repeated while the token is still valid.
    var retryAt: ContinuousClock.Instant?
    /// The number of sign-outs in progress.
    var closing = 0
  }

  /// The origin of the gateway that the session is for.
  let origin: String
  private let policy: RefreshPolicy
  private let clock: any CallClock
  private let state = Locked(State())
  private let observers = Broadcast<SessionChange>()

  init(origin: String, policy: RefreshPolicy, clock: any CallClock) {
    (self.origin, self.policy, self.clock) = (origin, policy, clock)
  }

  var updates: AsyncStream<SessionChange> { observers.stream(buffering: .bufferingNewest(64)) }
  /// The session; nil during a sign-out.
  var current: Session? { state.withLock { $0.closing == 0 ? $0.entry?.session : nil } }
  var entry: Entry? { state.withLock { $0.entry } }
  var version: Int { state.withLock { $0.version } }
  var isClosing: Bool { state.withLock { $0.closing > 0 } }

  /// The session if its access token can be sent.
  var usable: Session? { atLocalTime { $0.usable(at: $0.clock.time(at: $1)) } }

  /// The session if its access token can be sent, and whether it is time to replace the token.
  var usableAndDue: (session: Session?, isDue: Bool) {
    let instant = clock.now
    return atLocalTime { state, time in
      let now = state.clock.time(at: time)
      return (state.usable(at: now), state.isDue(at: now, instant))
    }
  }

  /// The session if its access token can be sent and need not be replaced yet.
  var fresh: Session? {
    let (session, isDue) = usableAndDue
    return isDue ? nil : session
  }

  /// The session and the content of the store, if the store could not save the session.
  var unsaved: (session: Session, stored: StoredSession?)? {
    state.withLock { state in
      guard let entry = state.entry, entry.stored?.session != entry.session else { return nil }
      return (entry.session, entry.stored)
    }
  }

  // MARK: Changes

  /// Adopts the content of the store, unless the session has changed since `version`.
  func adopt(_ stored: StoredSession?, unless version: Int) {
    let time = clock.unixTime
    change { state in
      guard state.version == version else { return nil }
      if let stored, stored.origin == origin { state.clock.adopt(stored.serverClock, at: time) }
      guard state.entry == nil || !stored.isSame(as: state.entry?.stored) else {
        // The session in memory may be newer: one that could not be saved.
        state.entry?.stored = stored
        return nil
      }
      guard let stored, stored.origin == origin else { return state.end(.elsewhere) }
      let now = state.clock.time(at: time)
      return state.set(stored.session, stored: stored, at: now, policy: policy)
    }
  }

  /// Sets the session.
  ///
  /// - Returns: the session, whose access token now belongs to the user; nil during a sign-out.
  @discardableResult
  func set(_ session: Session, stored: StoredSession?) -> Session? {
    let now = serverNow
    var result: Session?
    change { state in
      let report = state.set(session, stored: stored, at: now, policy: policy)
      if state.closing > 0 { return nil }
      result = state.entry?.session
      return report
    }
    return result
  }

  func end(_ reason: SessionEnd) { change { $0.end(reason) } }

  func storeFailed(_ error: any Error) { observers.send(.storeFailed(error)) }

  /// Whether the gateway has refused an access token.
  func isRefused(_ token: AccessToken) -> Bool { state.withLock { $0.refused == token } }

  /// Marks an access token as refused by the gateway.
  ///
  /// - Returns: another token that can be sent.
  @discardableResult
  func refuse(_ token: AccessToken) -> AccessToken? {
    atLocalTime { state, time in
      if state.entry?.session.accessToken == token { state.refused = token }
      return state.usable(at: state.clock.time(at: time))?.accessToken
    }
  }

  /// Delays the next refresh after one that failed.
  func delayRefresh() {
    let retryAt = clock.now.advanced(by: policy.pauseAfterFailure)
    state.withLock { $0.retryAt = retryAt }
  }

  /// Begins a sign-out, during which no token is available.
  func beginClosing() -> Entry? {
    state.withLock { state in
      state.closing += 1
      return state.entry
    }
  }

  /// Ends a sign-out. During it, ``current`` was nil, so a session that was set since then, or could not be removed, is
  /// reported.
  func endClosing() {
    change { state in
      state.closing -= 1
      return state.closing == 0 ? (state.entry?.session).map(SessionChange.started) : nil
    }
  }

  /// Changes the state, and reports the change that `body` returns. Reports are in the order of changes.
  private func change(_ body: (inout State) -> SessionChange?) {
    state.withLock { state in
      if let report = body(&state) { observers.prepare(report) }
    }
    observers.deliver()
  }

  // MARK: Time

  /// Reads or changes the state at the time of this machine, which is read outside of the lock.
  private func atLocalTime<Result: Sendable>(_ body: (inout State, Double) -> Result) -> Result {
    let time = clock.unixTime
    return state.withLock { state in body(&state, time) }
  }

  /// The time of the server's clock, or of the local clock if the difference is unknown.
  var serverNow: Double { atLocalTime { $0.clock.time(at: $1) } }

  /// How many seconds the server's clock is ahead; 0 if unknown.
  var secondsAhead: Int64 { atLocalTime { $0.clock.secondsAhead(at: $1) } }

  /// The value to store: a session, and the known difference to the server's clock.
  func stored(_ session: Session) -> StoredSession {
    StoredSession(session: session, origin: origin, serverClock: atLocalTime { $0.clock.current(at: $1) })
  }

  /// The known difference to the server's clock, if it differs enough from the stored one to be saved.
  func clock(differingFrom stored: ServerClock?) -> ServerClock? {
    atLocalTime { $0.clock.differs(from: stored, at: $1) ? $0.clock.current(at: $1) : nil }
  }

  /// Records the time that a response reports.
  ///
  /// - Returns: whether to save it, because the store has another one.
  func serverTime(_ unixSeconds: Int64) -> Bool {
    atLocalTime { state, time in
      guard let reading = ClockReading(unixSeconds, at: time) else { return false }
      state.clock.note(reading, isDecisive: false)
      guard state.closing == 0, let stored = state.entry?.stored else { return false }
      return state.clock.takeSave(over: stored.serverClock, at: time)
    }
  }

  /// Records the time that the response to a sign-in or a refresh reports.
  func note(_ reading: ClockReading?) {
    guard let reading else { return }
    state.withLock { $0.clock.note(reading, isDecisive: true) }
  }
}

extension SessionCache.State {
  fileprivate func usable(at now: Double) -> Session? {
    guard closing == 0, let session = entry?.session, now < Double(session.expiresAt), session.accessToken != refused
    else { return nil }
    return session
  }

  fileprivate func isDue(at now: Double, _ instant: ContinuousClock.Instant) -> Bool {
    guard let entry, now >= entry.refreshAt else { return false }
    return retryAt.map { instant >= $0 } ?? true
  }

  /// Sets the session, whose access token then belongs to the user. Returns the change to report; nil without a change.
  fileprivate mutating func set(
    _ session: Session, stored: StoredSession?, at now: Double, policy: RefreshPolicy
  ) -> SessionChange? {
    let before = entry?.session
    var session = session
    session.accessToken = session.accessToken.belonging(to: session.user.id)
    if before == session {
      entry?.stored = stored
    } else {
      version += 1
      retryAt = nil
      let lead = policy.lead(remaining: Double(session.expiresAt) - now)
      entry = .init(session: session, refreshAt: Double(session.expiresAt) - lead, stored: stored)
    }
    guard let before, before.user.id.hasSameBytes(as: session.user.id) else { return .started(session) }
    return before == session ? nil : .refreshed(session)
  }

  /// Ends the session. Returns the change to report; nil without a session.
  fileprivate mutating func end(_ reason: SessionEnd) -> SessionChange? {
    retryAt = nil
    guard entry != nil else { return nil }
    entry = nil
    version += 1
    return .ended(reason)
  }
}

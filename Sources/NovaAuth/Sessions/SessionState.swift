import NovaCore

/// What a ``SessionManager`` knows at a moment.
struct SessionState {
  struct Entry {
    var session: Session
    /// When to get the next token, in seconds of the server's clock.
    var refreshAt: Double
    /// What the store held when it was last seen: what it holds still, unless another process wrote.
    var stored: StoredSession?
  }

  enum Known {
    /// The store was not asked yet.
    case nothing
    case noSession
    case session(Entry)
  }

  private(set) var known = Known.nothing
  /// Grows with every change, so that what was read before one is not taken for news after it.
  private(set) var version = 0
  /// How far the server's clock is ahead of ours, in seconds.
  var skew: Double = 0
  /// A token that the gateway refused: as bad as expired.
  var refused: AccessToken?
  /// When a refresh may be tried again while the token is still good.
  var retryAt: ContinuousClock.Instant?
  /// How many are signing out.
  var closing = 0

  var entry: Entry? { if case .session(let entry) = known { entry } else { nil } }

  /// The session with what the store held, if the store could not take it.
  var unsaved: (session: Session, stored: StoredSession?)? {
    guard let entry, entry.stored?.session != entry.session else { return nil }
    return (entry.session, entry.stored)
  }

  /// The session whose access token can be sent.
  func usable(at now: Double) -> Session? {
    guard closing == 0, let session = entry?.session, now < Double(session.expiresAt), session.accessToken != refused
    else { return nil }
    return session
  }

  /// Whether it is time for the next token.
  func isDue(at now: Double, _ instant: ContinuousClock.Instant) -> Bool {
    guard let entry, now >= entry.refreshAt else { return false }
    return retryAt.map { instant >= $0 } ?? true
  }

  /// Takes over a session; the change this is, if it is one.
  mutating func set(
    _ session: Session, stored: StoredSession?, at now: Double, _ policy: RefreshPolicy
  ) -> SessionChange? {
    let before = entry?.session
    let remaining = Double(session.expiresAt) - now
    if before != session || entry == nil {
      version += 1
      retryAt = nil
      known = .session(
        Entry(
          session: session, refreshAt: Double(session.expiresAt) - policy.lead(remaining: remaining), stored: stored))
    } else if case .session(var entry) = known {
      entry.stored = stored
      known = .session(entry)
    }
    guard let before, before.user.id == session.user.id else { return .started(session) }
    return before == session ? nil : .refreshed(session)
  }

  /// There is no session; the change this is, if it is one.
  mutating func end(_ reason: SessionEnd) -> SessionChange? {
    defer {
      known = .noSession
      retryAt = nil
    }
    guard entry != nil else { return nil }
    version += 1
    return .ended(reason)
  }
}

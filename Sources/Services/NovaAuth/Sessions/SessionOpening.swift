import NovaCore

/// Opens a session: first at the server, then in the store.
struct SessionOpening {
  /// Requests the session from the server, by a deadline.
  typealias Request = (ContinuousClock.Instant) async throws -> OpenedSession

  let auth: AuthService
  let cache: SessionCache
  let storage: SessionStorage
  let clock: any CallClock

  /// Until the session is being saved, a failure or a cancellation closes it at the server. After that, nothing cancels
  /// this, because a saved session is a successful sign-in.
  func run(_ request: Request) async throws -> Session {
    let deadline = storage.deadline
    // Fails before a password is sent if the store cannot be used.
    try await storage.exclusively(until: deadline) {}
    let session = serverTimed(try await request(deadline))
    let stored = cache.stored(session)
    do {
      try await storage.exclusively(until: deadline) { [cache, storage] in
        try await storage.store.save(stored)
        cache.set(session, stored: stored)
      }
    } catch {
      // In a separate task, which is not cancelled and has its own time limit.
      await Task { [auth, storage, clock] in
        try? await auth.ending(at: storage.deadline, clock).signOut(session)
      }.value
      throw error
    }
    return session
  }

  /// The session with an expiry by the server's clock, even if the response did not report the time.
  private func serverTimed(_ opened: OpenedSession) -> Session {
    cache.note(opened.reading)
    var session = opened.session
    if opened.reading == nil { session.expiresAt += cache.secondsAhead }
    return session
  }
}

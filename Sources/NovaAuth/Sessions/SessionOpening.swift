import NovaCore

/// Opens a session: first at the server, then in the store.
struct SessionOpening {
  let auth: AuthService
  let cache: SessionCache
  let storage: SessionStorage
  let clock: any CallClock

  /// Once the session is being saved, nothing cancels this: a saved session is a successful sign-in. Until then, a failure
  /// or a cancellation closes the session at the server.
  ///
  /// - Parameter request: signs in or up at the server.
  func run(
    _ request: (_ deadline: ContinuousClock.Instant) async throws -> OpenedSession
  ) async throws -> Session {
    let deadline = storage.deadline
    // Fails before a password is sent if the store cannot be used.
    try await storage.exclusively(until: deadline) {}
    let opened = try await request(deadline)
    if let time = opened.serverTime { cache.serverTime(time) }
    let stored = StoredSession(session: opened.session, origin: cache.origin)
    do {
      try await storage.exclusively(until: deadline) { [cache, storage] in
        try await storage.store.save(stored)
        cache.set(opened.session, stored: stored)
      }
    } catch {
      // In a task that a cancellation does not reach, with time of its own.
      await Task { [auth, storage, clock] in
        try? await auth.ending(at: storage.deadline, clock).signOut(opened.session)
      }.value
      throw error
    }
    return opened.session
  }
}

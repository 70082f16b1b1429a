import NovaCore

/// Ends a session: first locally, then at the server.
struct SignOut: Sendable {
  let auth: AuthService
  let cache: SessionCache
  let storage: SessionStorage
  let exchange: TokenExchange
  let clock: any CallClock

  func run() async throws {
    // From now on, no token is available, even if a refresh is in progress.
    let entry = cache.beginClosing()
    // Leaves half of the time for the call to the server.
    let (half, deadline) = (clock.now.advanced(by: storage.timeLimit / 2), storage.deadline)
    let removed: Result<Session?, any Error>
    do { removed = .success(try await remove(entry, until: half)) } catch { removed = .failure(error) }
    cache.endClosing()
    if let session = try removed.get() { try await endAtServer(session, until: deadline) }
  }

  /// Clears the store.
  ///
  /// - Returns: the session to end at the server.
  private func remove(_ entry: SessionCache.Entry?, until deadline: ContinuousClock.Instant) async throws -> Session? {
    let clear: @Sendable () async throws -> Session? = {
      // An unreadable session can be removed. The session of another gateway stays.
      let stored = try? await storage.store.load()
      let isForeign = stored.map { $0.origin != cache.origin } ?? false
      let latest = cache.entry ?? entry
      if !isForeign { try await storage.store.clear() }
      cache.end(.signedOut)
      guard let stored, !isForeign, latest?.stored.isSame(as: stored) != true else { return latest?.session }
      return stored.session
    }
    do {
      return try await storage.exclusively(until: deadline, clear)
    } catch let error as SessionStoreError
      where error.kind != .system && error.kind != .notPermitted && error.kind != .unavailable
    {
      // Also if another process refreshed the session at the same time: the new one is removed.
      return try await clear()
    } catch APIError.timeout {
      // Another process does not release the lock: signing out without it is better than not signing out.
      return try await clear()
    }
  }

  private func endAtServer(_ session: Session, until deadline: ContinuousClock.Instant) async throws {
    do {
      let isExpired = cache.serverNow >= Double(session.expiresAt)
      let session = isExpired ? try await exchange.refreshed(session, until: deadline).session : session
      try await auth.ending(at: deadline, clock).signOut(session)
    } catch let error as APIError where error.code == .unauthorized {
      // Logout requires a valid access token. If the service refuses to issue one, there is no session to end.
      if exchange.refuses(error) && error.rpc == AuthRPC.refresh.descriptor.id { return }
      do {
        let session = try await exchange.refreshed(session, until: deadline).session
        try await auth.ending(at: deadline, clock).signOut(session)
      } catch let error as APIError {
        if !exchange.refuses(error) { throw error.notOfService("signing out at the server") }
      }
    }
  }
}

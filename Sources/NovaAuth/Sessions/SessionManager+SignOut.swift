import NovaCore

extension SessionManager {
  func close() async throws {
    // From here on nobody gets a token, even if a refresh is under way.
    let entry = state.withLock { state in
      state.closing += 1
      return state.entry
    }
    // The server must be called as well, so the store gets half of the time.
    let (half, deadline) = (clock.now.advanced(by: timeLimit / 2), deadline)
    let forgotten: Result<Session?, any Error>
    do { forgotten = .success(try await forget(entry, until: half)) } catch { forgotten = .failure(error) }
    state.withLock { $0.closing -= 1 }
    if let session = try forgotten.get() { try await closeAtServer(session, until: deadline) }
  }

  /// Clears the store; the session that was there, or was known.
  private func forget(_ entry: SessionState.Entry?, until deadline: ContinuousClock.Instant) async throws -> Session? {
    let clear: @Sendable () async throws -> Session? = {
      // Whatever is wrong with what is stored, it can be removed; but another gateway's session is not ours to end.
      let stored = try? await self.store.load()
      let isForeign = stored.map { $0.origin != self.origin } ?? false
      let latest = self.state.withLock { $0.entry } ?? entry
      if !isForeign { try await self.store.clear() }
      self.report(self.state.withLock { $0.end(.signedOut) })
      guard let stored, !isForeign, stored != latest?.stored else { return latest?.session }
      return stored.session
    }
    do {
      return try await exclusively(until: deadline, clear)
    } catch let error as SessionStoreError where error.kind != .system && error.kind != .notPermitted {
      return try await clear()
    } catch APIError.timeout {
      // Somebody does not let go of the lock: better signed out without it than not at all.
      return try await clear()
    }
  }

  private func closeAtServer(_ session: Session, until deadline: ContinuousClock.Instant) async throws {
    func signOut(_ session: Session) async throws { try await auth.ending(at: deadline, clock).signOut(session) }
    do {
      let isExpired = serverNow() >= Double(session.expiresAt)
      try await signOut(isExpired ? try await renewed(session, until: deadline) : session)
    } catch let error as APIError where error.code == .unauthorized {
      // Logout requires a valid access token. If the service refuses to issue one, there is no session to close.
      if refuses(error) && error.rpc == AuthRPC.refresh.descriptor.id { return }
      do { try await signOut(try await renewed(session, until: deadline)) } catch let error as APIError {
        if !refuses(error) { throw error.notOfService("signing out at the server") }
      }
    }
  }

  /// The session with a new access token, kept nowhere.
  private func renewed(_ session: Session, until deadline: ContinuousClock.Instant) async throws -> Session {
    var session = session
    let answer = try await refreshed(session, until: deadline)
    session.accessToken = answer.accessToken
    session.refreshToken = answer.refreshToken ?? session.refreshToken
    session.expiresAt = answer.expiresAt
    return session
  }
}

import NovaCore

extension SessionManager {
  func close() async throws {
    // From here on nobody gets a token, even if a refresh is under way.
    let entry = state.withLock { state in
      state.closing += 1
      return state.entry
    }
    let forgotten: Result<Session?, any Error>
    do { forgotten = .success(try await forget(entry)) } catch { forgotten = .failure(error) }
    state.withLock { $0.closing -= 1 }
    if let session = try forgotten.get() { try await closeAtServer(session) }
  }

  /// Clears the store; the session that was there, or was known.
  private func forget(_ entry: SessionState.Entry?) async throws -> Session? {
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
      return try await store.withExclusiveAccess(clear)
    } catch let error as SessionStoreError where error.kind != .system && error.kind != .notPermitted {
      // Somebody does not let go of the lock: better signed out without it than not at all.
      return try await clear()
    }
  }

  private func closeAtServer(_ session: Session) async throws {
    do {
      let isExpired = serverNow() >= Double(session.expiresAt)
      try await auth.signOut(isExpired ? try await renewed(session) : session)
    } catch APIError.unauthorized {
      // Logout needs an access token that is good. Where none is to be had, there is no session to close.
      do { try await auth.signOut(try await renewed(session)) } catch APIError.unauthorized {}
    }
  }

  /// The session with a new access token, kept nowhere.
  private func renewed(_ session: Session) async throws -> Session {
    var session = session
    let answer = try await refreshed(session.refreshToken)
    session.accessToken = answer.accessToken
    session.refreshToken = answer.refreshToken ?? session.refreshToken
    session.expiresAt = answer.expiresAt
    return session
  }
}

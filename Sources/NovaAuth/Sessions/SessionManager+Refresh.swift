import NovaCore

/// Which managers' refreshes the current task is part of.
private enum RefreshScope {
  @TaskLocal static var managers: Set<ObjectIdentifier> = []
}

extension SessionManager {
  /// Refuses to wait for a refresh from inside it, which would last for ever.
  func requireOutsideRefresh() throws(APIError) {
    guard RefreshScope.managers.contains(ObjectIdentifier(self)) else { return }
    throw APIError(
      .failedPrecondition,
      "a refresh asked for the token that it is to bring: let it use a client without this session manager")
  }

  /// What the flight does: a session that can be used, from the store or from the server; nil for none.
  func renew() async throws -> Session? {
    let deadline = deadline
    let managers = RefreshScope.managers.union([ObjectIdentifier(self)])
    return try await RefreshScope.$managers.withValue(managers) {
      if state.withLock({ $0.entry == nil }) {
        // At first most find a good session and need the store for nobody but themselves.
        let version = state.withLock { $0.version }
        let stored = try await store.load()
        adopt(stored, unless: version)
        if state.withLock({ $0.entry == nil || $0.closing > 0 }) { return nil }
        if let session = freshSession() { return session }
      }
      do {
        return try await exclusively(until: deadline) { try await self.renewExclusively(until: deadline) }
      } catch {
        let retryAt = clock.now.advanced(by: policy.pauseAfterFailure)
        state.withLock { $0.retryAt = retryAt }
        throw error
      }
    }
  }

  /// The same while nobody else can write to the store.
  private func renewExclusively(until deadline: ContinuousClock.Instant) async throws -> Session? {
    let stored = try await store.load()
    // If the store is as we left it, what we know may be newer: a token that could not be saved.
    let (isAsBefore, version) = state.withLock { state in
      (state.entry.map { $0.stored == stored } ?? false, state.version)
    }
    if !isAsBefore { adopt(stored, unless: version) }
    if let session = freshSession() { return session }
    guard let base = current else { return nil }
    let answer = try await answer(to: base, stored, until: deadline)
    var session = base
    session.accessToken = answer.accessToken
    session.refreshToken = answer.refreshToken ?? base.refreshToken
    session.expiresAt = answer.expiresAt
    if await hasChanged(stored, since: base) { return current }
    return await keep(session, in: stored)
  }

  /// Whether another program changed the store during a refresh without acquiring the lock. Its change is kept.
  private func hasChanged(_ stored: StoredSession?, since base: Session) async -> Bool {
    let latest: StoredSession?
    // A store that cannot be read now may still take the new tokens.
    do { latest = try await store.load() } catch { return false }
    // The new tokens replace the refreshed session, however it is written.
    if latest == stored || latest?.origin == origin && latest?.session.refreshToken == base.refreshToken {
      return false
    }
    adopt(latest, unless: state.withLock { $0.version })
    return true
  }

  /// Adopts a new session, even if the store cannot save it.
  private func keep(_ session: Session, in stored: StoredSession?) async -> Session? {
    let new = StoredSession(session: session, origin: origin)
    do {
      try await store.save(new)
      return set(session, stored: new)
    } catch {
      // The server may have used up the old refresh token, so the new one is worth more than the order of things.
      let result = set(session, stored: stored)
      observers.report(.storeFailed(error))
      return result
    }
  }

  private func answer(
    to base: Session, _ stored: StoredSession?, until deadline: ContinuousClock.Instant
  ) async throws -> RefreshedTokens {
    do {
      return try await refreshed(base, until: deadline)
    } catch let error as APIError where refuses(error) {
      if stored?.origin == origin, stored?.session.refreshToken == base.refreshToken {
        do { try await store.clear() } catch { observers.report(.storeFailed(error)) }
      }
      report(state.withLock { $0.end(.refused) })
      var ending = error
      ending.message = "the session is over, the server refused to renew it: sign in again"
      throw ending
    } catch let error as APIError {
      throw error.keepingSession()
    }
  }

  /// Whether the refresh token is refused for good. A custom refresh closure may also report that without a response.
  func refuses(_ error: APIError) -> Bool {
    error.isRefusedToken || customRefresh != nil && error.httpStatus == nil && error.code == .unauthorized
  }

  // MARK: Asking the server

  /// Exchanges a refresh token, with an idempotency key: the server then repeats a response that any process lost.
  func refreshed(_ session: Session, until deadline: ContinuousClock.Instant) async throws -> RefreshedTokens {
    let (answer, response) = try await ask(session, until: deadline)
    guard let accessToken = try? AccessToken(answer.token) else {
      let (problem, rpc) = ("expected an access token; it is missing or cannot be one", AuthRPC.refresh.descriptor)
      throw response.map { APIError(.invalidResponse, problem, rpc: rpc, response: $0) }
        ?? APIError(.invalidResponse, problem, rpc: rpc.id)
    }
    return RefreshedTokens(
      accessToken: accessToken, refreshToken: RefreshToken(answer.refreshToken),
      expiresAt: Int64(serverNow()) + AccessLifetime.bounded(answer.expiresIn))
  }

  /// The answer, and the response that it came in; nil for a custom refresh.
  private func ask(
    _ session: Session, until deadline: ContinuousClock.Instant
  ) async throws -> (answer: RefreshResponse, response: APIResponse<RefreshResponse>?) {
    let token = session.refreshToken
    if let customRefresh {
      let answer = try await Race.run(until: deadline, clock, timeUp: noSessionInTime()) {
        try await customRefresh(token)
      }
      return (answer, nil)
    }
    try auth.requireSafe("a refresh token")
    var options = auth.ending(at: deadline, clock).options
    options.idempotencyKey = RefreshKey.of(session)
    let response = try await auth.client.respond(
      AuthRPC.refresh, RefreshRequest(refreshToken: token.secretValue), options: options)
    if let time = response.headers["Date"].flatMap(HTTPDate.seconds) { serverTime(time) }
    return (response.value, response)
  }

  // MARK: What is known

  /// The session, if its token is good and not yet due to be replaced.
  private func freshSession() -> Session? {
    let (now, instant) = (serverNow(), clock.now)
    return state.withLock { state in state.isDue(at: now, instant) ? nil : state.usable(at: now) }
  }

  /// Takes over what the store holds, unless something happened since `version`.
  func adopt(_ stored: StoredSession?, unless version: Int) {
    let now = serverNow()
    report(
      state.withLock { state in
        guard state.version == version, state.entry?.stored != stored || state.entry == nil else { return nil }
        guard let stored, stored.origin == origin else { return state.end(.elsewhere) }
        return state.set(stored.session, stored: stored, at: now, policy)
      })
  }

  /// Takes over a session; nil, and nothing else, while somebody signs out.
  @discardableResult
  func set(_ session: Session, stored: StoredSession?) -> Session? {
    let now = serverNow()
    let (change, isClosing) = state.withLock { state in
      (state.set(session, stored: stored, at: now, policy), state.closing > 0)
    }
    if isClosing { return nil }
    report(change)
    return session
  }

  func report(_ change: SessionChange?) { if let change { observers.report(change) } }
}

/// The server's answer to a refresh, checked.
struct RefreshedTokens: Sendable {
  let accessToken: AccessToken
  /// Nil when the old one stays valid.
  let refreshToken: RefreshToken?
  let expiresAt: Int64
}

import NovaCore

/// Renews a session: from the store if another process has refreshed it, otherwise at the server.
struct SessionRefresh: Sendable {
  /// The sessions whose refresh the current task is part of.
  @TaskLocal private static var running: [ObjectIdentifier] = []

  let cache: SessionCache
  let storage: SessionStorage
  let exchange: TokenExchange

  /// Throws inside a refresh of this session, because a refresh that waits for itself would never end.
  func requireOutside() throws(APIError) {
    guard Self.running.contains(ObjectIdentifier(cache)) else { return }
    throw APIError(
      .failedPrecondition,
      "a refresh requires the token that it is refreshing: use a client without this session manager in it")
  }

  /// Returns a session with a usable access token; nil if no user is signed in.
  func run() async throws -> Session? {
    let deadline = storage.deadline
    var running = Self.running
    running.append(ObjectIdentifier(cache))
    return try await Self.$running.withValue(running) {
      if cache.entry == nil {
        // The store usually has a usable session, which can be read without exclusive access.
        let version = cache.version
        cache.adopt(try await storage.store.load(), unless: version)
        if cache.entry == nil || cache.isClosing { return nil }
        if let session = cache.fresh { return session }
      }
      do {
        return try await renewed(until: deadline)
      } catch {
        cache.delayRefresh()
        throw error
      }
    }
  }

  private typealias Outcome = (session: Session?, isRepeated: Bool)

  /// Runs until exclusive access is kept, because a store that machines share can lose it, and once more if the access
  /// token of a repeated answer has ended.
  private func renewed(until deadline: ContinuousClock.Instant) async throws -> Session? {
    var isLast = false
    while true {
      do {
        let outcome = try await storage.exclusively(until: deadline, unlessChanged: adopted) {
          try await runExclusively(until: deadline)
        }
        guard outcome.session != nil, outcome.isRepeated, cache.usable == nil, !isLast else { return outcome.session }
        isLast = true
      } catch let error as SessionStoreError where error.kind == .changed {
        // The deadline limits this, because it limits the wait for access.
        try Task.checkCancellation()
      }
    }
  }

  /// Adopts a session that another process saved during the wait; nil if it must be refreshed, too.
  private func adopted(_ stored: StoredSession) -> Outcome? {
    cache.adopt(stored, unless: cache.version)
    return cache.fresh.map { ($0, false) }
  }

  /// Returns the session like ``run()``, while no other process can write to the store.
  private func runExclusively(until deadline: ContinuousClock.Instant) async throws -> Outcome {
    let stored = try await storage.store.load()
    let version = cache.version
    cache.adopt(stored, unless: version)
    if let session = cache.fresh { return (session, false) }
    guard let base = cache.current else { return (nil, false) }
    let wasRefused = cache.isRefused(base.accessToken)
    let result = try await refreshed(base, stored: stored, until: deadline)
    if await hasChanged(stored, since: base) { return (cache.current, false) }
    let session = await save(result.session, in: stored)
    // A call whose token was refused is sent only once more, so it needs a token that has certainly not ended.
    if let session, wasRefused, result.isOfUnknownAge { cache.refuse(session.accessToken) }
    return (session, result.isRepeated)
  }

  private func refreshed(
    _ base: Session, stored: StoredSession?, until deadline: ContinuousClock.Instant
  ) async throws -> TokenExchange.Result {
    // Outside of `do`, because its failure is no failure of the exchange.
    try await storage.store.requireExclusiveAccess()
    do {
      return try await exchange.refreshed(base, until: deadline)
    } catch let error as APIError where exchange.refuses(error) {
      if let stored, stored.origin == cache.origin, stored.session.refreshToken == base.refreshToken {
        do {
          if let newer = try await storage.store.clear(refused: stored) {
            // Another process was faster, so the refused token is an old one.
            cache.adopt(newer, unless: cache.version)
            if let session = cache.usable { return .init(session: session, isRepeated: false, isOfUnknownAge: false) }
          }
        } catch let error as SessionStoreError where error.kind == .changed {
          throw error
        } catch {
          cache.storeFailed(error)
        }
      }
      cache.end(.refused)
      var ending = error
      ending.restate("the session has ended", reason: "the server refused to refresh it", advice: "sign in again")
      throw ending
    } catch let error as APIError {
      throw error.keepingSession()
    }
  }

  /// Whether another program changed the store during the refresh without acquiring the lock. Its change is kept.
  private func hasChanged(_ stored: StoredSession?, since base: Session) async -> Bool {
    let latest: StoredSession?
    // A store that cannot be read now may still be able to save the new tokens.
    do { latest = try await storage.store.load() } catch { return false }
    // The new tokens replace the refreshed session, however it is written.
    if latest.isSame(as: stored) || latest?.origin == cache.origin && latest?.session.refreshToken == base.refreshToken
    {
      return false
    }
    cache.adopt(latest, unless: cache.version)
    return true
  }

  /// Adopts the new session, even if the store cannot save it: the server may have invalidated the old refresh token.
  private func save(_ session: Session, in stored: StoredSession?) async -> Session? {
    let new = cache.stored(session)
    do {
      try await storage.store.save(new)
      return cache.set(session, stored: new)
    } catch let error as SessionStoreError where error.kind == .changed {
      // Exclusive access was lost, and another process has saved the session that counts.
      let version = cache.version
      guard let latest = try? await storage.store.load() else { return cache.set(session, stored: stored) }
      cache.adopt(latest, unless: version)
      return cache.current
    } catch {
      let result = cache.set(session, stored: stored)
      cache.storeFailed(error)
      return result
    }
  }
}

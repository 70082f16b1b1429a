public import NovaCore

extension SessionManager: TokenProvider {
  /// The access token, if it is known and good; starts a refresh in the background when that is due.
  public var availableToken: AccessToken? { usableSession()?.accessToken }

  /// The access token, refreshed if necessary.
  ///
  /// - Throws: ``APIError``: `unauthorized` when nobody is signed in, `failedPrecondition` when the store fails;
  ///   `CancellationError`.
  public func accessToken() async throws -> AccessToken? {
    do {
      // Each caller has its own deadline, and there may be ten thousand of them.
      try requireOutsideRefresh()
      if let session = usableSession() { return session.accessToken }
      if let session = try await orStillGood({ try await joinRefresh() }) { return session.accessToken }
    } catch {
      throw Self.forCalls(error)
    }
    throw APIError(.unauthorized, "not signed in: the session store has no session for \(origin); sign in first")
  }

  /// Another access token than `refused`; nil when nobody is signed in.
  ///
  /// - Throws: as ``accessToken()``.
  public func replacement(for refused: AccessToken) async throws -> AccessToken? {
    try requireOutsideRefresh()
    // A refresh that is joined may have begun before the refusal and end with the refused token; the next does not.
    for _ in 0..<2 {
      let now = serverNow()
      let other = state.withLock { state in
        if state.entry?.session.accessToken == refused { state.refused = refused }
        return state.usable(at: now)?.accessToken
      }
      if let other { return other }
      do {
        guard let session = try await joinRefresh() else { return nil }
        if session.accessToken != refused { return session.accessToken }
      } catch {
        throw Self.forCalls(error)
      }
    }
    return nil
  }

  /// Learns how far the server's clock is from ours.
  public func serverTime(_ unixSeconds: Int64) {
    // In whole seconds, as the header has them: a clock that is right is then seen to be.
    let skew = Double(unixSeconds) - clock.unixTime.rounded(.down)
    state.withLock { $0.skew = skew }
  }

  /// The session, if its token can be sent now. Starts a refresh when that is due and need not be waited for.
  func usableSession() -> Session? {
    let (now, instant) = (serverNow(), clock.now)
    let (session, isDue) = state.withLock { state in (state.usable(at: now), state.isDue(at: now, instant)) }
    guard let session, isDue else { return session }
    guard policy.refreshesInBackground else { return nil }
    flight.start { try await self.renew() }
    return session
  }

  func stillGood() -> Session? {
    let now = serverNow()
    return state.withLock { $0.usable(at: now) }
  }

  /// The server's clock, as far as we know.
  func serverNow() -> Double {
    let now = clock.unixTime
    return state.withLock { now + $0.skew }
  }

  private static func forCalls(_ error: any Error) -> any Error {
    if error is APIError || error is CancellationError { return error }
    if let error = error as? SessionStoreError {
      return APIError(.failedPrecondition, "the session cannot be used: \(error)")
    }
    return APIError(.failedPrecondition, "the session cannot be used: its store failed with \(type(of: error))")
  }
}

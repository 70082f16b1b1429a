import NovaCore

// Nothing here waits without an end: what a session needs has one time limit, other processes included.
extension SessionManager {
  /// How long an operation may take: the policy's limit, or else what the client allows a call of the service.
  var timeLimit: Duration {
    let refresh = AuthRPC.refresh.descriptor
    let configuration = auth.client.configuration
    let limit = policy.timeout ?? auth.options.timeout ?? refresh.timeout ?? configuration.timeout(for: refresh.service)
    return min(max(limit, .milliseconds(1)), configuration.limits.totalTimeout)
  }

  /// The end of an operation that begins now.
  var deadline: ContinuousClock.Instant { clock.now.advanced(by: timeLimit) }

  /// Runs `body` while nobody else can write to the store. Only waiting for that ends at the deadline: once `body` has
  /// begun it is waited for, so that no answer of the server is lost on its way into the store.
  ///
  /// - Throws: ``APIError`` with the code `timeout`; what the store and `body` throw.
  func exclusively<Result: Sendable>(
    until deadline: ContinuousClock.Instant, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let timeUp = storeInUse(since: clock.now, until: deadline)
    return try await Race.run(until: deadline, clock, timeUp: timeUp) { limit in
      try await self.store.withExclusiveAccess {
        guard limit.lift() else { throw CancellationError() }
        return try await body()
      }
    }
  }

  private func storeInUse(since begin: ContinuousClock.Instant, until deadline: ContinuousClock.Instant) -> APIError {
    let holder = (store as? FileSessionStore).map { "find it with `fuser \($0.path.printable(to: 200)).lock`" }
    let wait = begin.duration(to: deadline).inWords
    return APIError(
      .timeout,
      "the session is in use: another process or task has not released it for \(wait), and nothing was sent meanwhile; "
        + "try again, or end that process\(holder.map { " (\($0))" } ?? "")")
  }

  /// A session that was waited for in vain.
  func noSessionInTime() -> APIError {
    APIError(
      .timeout,
      "the session could not be refreshed within \(timeLimit.inWords): neither the store nor the server finished; "
        + "try again later")
  }
}

extension AuthService {
  /// A copy whose calls end by then; this one where there is no deadline.
  func ending(at deadline: ContinuousClock.Instant?, _ clock: any CallClock) -> AuthService {
    guard let deadline else { return self }
    let rest = clock.now.duration(to: deadline)
    return with(timeout: min(options.timeout ?? rest, rest))
  }
}

import NovaCore

/// The session store of a manager, with a time limit for every operation, which includes waiting for other processes.
struct SessionStorage: Sendable {
  let store: any SessionStore
  private let auth: AuthService
  private let limit: Duration?
  private let clock: any CallClock

  init(_ store: any SessionStore, auth: AuthService, limit: Duration?, clock: any CallClock) {
    (self.store, self.auth, self.limit, self.clock) = (store, auth, limit, clock)
  }

  /// The time limit of an operation: the policy's, or else the client's timeout for calls to the service.
  var timeLimit: Duration {
    let refresh = AuthRPC.refresh.descriptor
    let configuration = auth.client.configuration
    let limit = limit ?? auth.options.timeout ?? refresh.timeout ?? configuration.timeout(for: refresh.service)
    return min(max(limit, .milliseconds(1)), configuration.limits.totalTimeout)
  }

  /// The deadline of an operation that begins now.
  var deadline: ContinuousClock.Instant { deadline(in: timeLimit) }

  /// The deadline of an operation that begins now and takes at most `duration`.
  func deadline(in duration: Duration) -> ContinuousClock.Instant { clock.now.advanced(by: duration) }

  /// Runs `body` with exclusive access to the store, unless `result` accepts a session that another process saves
  /// during the wait. The deadline and a cancellation end only the wait for access. Once
  /// `body` has started, it runs to completion, so that a response is never lost before it is stored.
  ///
  /// - Throws: ``APIError`` with the code `timeout`; what the store and `body` throw.
  func exclusively<Result: Sendable>(
    until deadline: ContinuousClock.Instant,
    unlessChanged result: @escaping @Sendable (StoredSession) -> Result? = { _ in nil },
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await Race.run(until: deadline, clock, timeUp: storeInUse(since: clock.now, until: deadline)) { limit in
      try await store.withExclusiveAccess(unlessChanged: result) {
        guard limit.lift() else { throw CancellationError() }
        return try await body()
      }
    }
  }

  /// Runs `body`, and throws if it does not end by the deadline.
  func bounded<Result: Sendable>(
    until deadline: ContinuousClock.Instant, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await Race.run(until: deadline, clock, timeUp: timedOut) { try await body() }
  }

  private var timedOut: APIError {
    APIError(
      .timeout,
      "the session could not be refreshed within \(timeLimit.formatted)",
      reason: "neither the store nor the server finished", advice: "try again later")
  }

  private func storeInUse(since begin: ContinuousClock.Instant, until deadline: ContinuousClock.Instant) -> APIError {
    let holder = (store as? FileSessionStore).map { "find it with `fuser \($0.path.printable(to: 200)).lock`" }
    let wait = begin.duration(to: deadline).formatted
    return APIError(
      .timeout,
      "the session is in use",
      reason: "another process or task has not released it for \(wait), and no request was sent in that time",
      advice: "try again, or end that process\(holder.map { " (\($0))" } ?? "")")
  }
}

extension AuthService {
  /// Returns a copy whose calls end by the deadline, or this service without a deadline.
  func ending(at deadline: ContinuousClock.Instant?, _ clock: any CallClock) -> AuthService {
    guard let deadline else { return self }
    let rest = clock.now.duration(to: deadline)
    return with { $0.timeout = min($0.timeout ?? rest, rest) }
  }
}

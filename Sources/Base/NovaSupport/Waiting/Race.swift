/// Runs work with a deadline, and stops waiting for it after that.
package enum Race {
  /// The limits of a race (deadline and cancellation), for work that must not be abandoned after a certain point.
  package struct Limit: Sendable {
    /// Lifts the limits; false if the work is already abandoned.
    package let lift: @Sendable () -> Bool
  }

  /// Runs `body` and returns its result, unless the deadline or the calling task's cancellation comes first. Then
  /// `body` is cancelled, but not awaited, because it may not respond to cancellation.
  ///
  /// - Parameter timeUp: the error to throw if the deadline passes first.
  /// - Throws: what `body` throws; `CancellationError`; `timeUp`.
  package static func run<Value: Sendable>(
    until deadline: ContinuousClock.Instant?, _ clock: any CallClock, timeUp: any Error,
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await run(until: deadline, clock, timeUp: timeUp) { _ in try await body() }
  }

  /// Runs work that can lift both limits, and then completes.
  package static func run<Value: Sendable>(
    until deadline: ContinuousClock.Instant?, _ clock: any CallClock, timeUp: any Error,
    _ body: @escaping @Sendable (Limit) async throws -> Value
  ) async throws -> Value {
    let first = FirstResult<Value>()
    let work = Task {
      let limit = Limit { first.liftLimit() }
      do { first.finish(.success(try await body(limit))) } catch { first.finish(.failure(error)) }
    }
    let timer = deadline.map { deadline in
      Task {
        try await clock.sleep(until: deadline, tolerance: nil)
        first.giveUp(timeUp)
      }
    }
    defer {
      work.cancel()
      timer?.cancel()
    }
    return try await first.value()
  }
}

import NovaSupport

/// A statement on its way through a connection. Its task waits until the connection reports the end, even when it is
/// cancelled, so that no other caller uses the connection in between.
final class Statement: Sendable {
  let sql: String
  let parameters: [PostgreSQLValue]
  let deadline: ContinuousClock.Instant
  /// A commit or rollback runs to its end.
  let isCancellable: Bool
  private let cancelled = Locked(false)
  private let outcome = FirstResult<StatementResult>()

  init(
    _ sql: String, _ parameters: [PostgreSQLValue] = [], deadline: ContinuousClock.Instant, isCancellable: Bool = true
  ) {
    (self.sql, self.parameters, self.deadline, self.isCancellable) = (sql, parameters, deadline, isCancellable)
    _ = outcome.liftLimit()
  }

  var isCancelled: Bool { isCancellable && cancelled.withLock { $0 } }

  func cancel() { cancelled.withLock { $0 = true } }
  func finish(_ result: Result<StatementResult, any Error>) { outcome.finish(result) }
  func result() async throws -> StatementResult { try await outcome.value() }
}

/// What a statement returned.
struct StatementResult: Sendable {
  var rows: PostgreSQLRows
  /// The statement's kind as the server reports it: `ROLLBACK`.
  var command = ""
}

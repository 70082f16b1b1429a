import NovaSupport

/// The client of a running transaction.
final class TransactionClient: PostgreSQLClient {
  private let connection: PostgreSQLConnection
  private let pool: PostgreSQLPool
  private let depth: Int
  private let isOver = Locked(false)
  private let hasNested = Locked(false)

  init(_ connection: PostgreSQLConnection, _ pool: PostgreSQLPool, depth: Int = 0) {
    (self.connection, self.pool, self.depth) = (connection, pool, depth)
  }

  func query(_ sql: String, _ parameters: [PostgreSQLValue]) async throws -> PostgreSQLRows {
    if isOver.withLock({ $0 }) {
      throw PostgreSQLError(.closed, "the transaction has ended; use its client only inside of it")
    }
    return try await connection.run(pool.statement(sql, parameters)).rows
  }

  func transaction<R: Sendable>(_ body: @Sendable (any PostgreSQLClient) async throws -> R) async throws -> R {
    // Savepoints are a stack: the end of one would be that of another.
    let isFirst = hasNested.withLock { hasNested in
      defer { hasNested = true }
      return !hasNested
    }
    guard isFirst else {
      throw PostgreSQLError.invalidArgument("another nested transaction is running; run one after the other")
    }
    defer { hasNested.withLock { $0 = false } }
    let name = "nova_\(depth + 1)"
    _ = try await query("SAVEPOINT \(name)", [])
    let inner = TransactionClient(connection, pool, depth: depth + 1)
    do {
      let value = try await body(inner)
      inner.end()
      _ = try await query("RELEASE SAVEPOINT \(name)", [])
      return value
    } catch {
      inner.end()
      // Runs although the task may be cancelled. If it fails, so does the whole transaction.
      for statement in ["ROLLBACK TO SAVEPOINT \(name)", "RELEASE SAVEPOINT \(name)"] {
        _ = try? await connection.run(pool.statement(statement, isCancellable: false))
      }
      throw error
    }
  }

  func notifications(on channel: String) -> AsyncThrowingStream<String, any Error> { pool.notifications(on: channel) }

  // MARK: The end

  /// Refuses statements from now on.
  func end() { isOver.withLock { $0 = true } }

  /// Rolls back. If that fails, the pool closes the connection, which rolls back as well.
  func rollback() async {
    guard connection.status != .lost else { return }
    _ = try? await connection.run(pool.statement("ROLLBACK", isCancellable: false))
  }

  func commit() async throws {
    switch connection.status {
    case .idle:
      throw PostgreSQLError.invalidArgument(
        "the transaction was ended inside of its body; leave that to transaction(_:)")
    case .lost, .connecting:
      throw PostgreSQLError(.connection, "the connection was lost before the commit, so nothing was committed")
    case .inTransaction, .inFailedTransaction: break
    }
    let result: StatementResult
    do {
      result = try await connection.run(pool.statement("COMMIT", isCancellable: false))
    } catch var error as PostgreSQLError {
      error.mayHaveCommitted = error.mayHaveRun
      throw error
    }
    // PostgreSQL reports no error when it cannot commit because a statement has failed.
    if result.command == "ROLLBACK" {
      throw PostgreSQLError(
        .server(sqlState: "25P02"), "the transaction was rolled back, because a statement in it had failed")
    }
  }
}

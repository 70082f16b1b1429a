import NovaSupport

/// A bounded pool of connections to PostgreSQL.
///
/// ```swift
/// let database = try PostgreSQLPool("postgresql://app@db.example.com/app?sslmode=verify-full")
/// try await database.transaction { transaction in
///   _ = try await transaction.query("UPDATE accounts SET balance = balance - $1 WHERE id = $2", [10, 1])
///   _ = try await transaction.query("UPDATE accounts SET balance = balance + $1 WHERE id = $2", [10, 2])
/// }
/// await database.shutdown()
/// ```
///
/// It takes whatever libpq connects to: several hosts with `target_session_attrs`, Unix sockets, TLS, SCRAM, `.pgpass`,
/// and service files. It uses no prepared statements and no state of sessions, so PgBouncer can run in transaction mode.
///
/// While the server cannot be reached, callers wait up to `outageTimeout`, and connecting is tried again after random times
/// that grow to 2 s. A wrong password, or a database that does not exist, fails at once.
public final class PostgreSQLPool: PostgreSQLClient {
  let core: PoolCore
  private let listener: NotificationListener

  /// Creates a pool. It connects when it is first used.
  ///
  /// - Parameters:
  ///   - connectionString: a URL, or `key=value` pairs, as libpq reads them.
  ///   - options: the limits.
  /// - Throws: ``PostgreSQLError`` `invalidArgument` for an invalid connection string, which is not part of the error;
  ///   `missingLibrary` if libpq is missing.
  public init(_ connectionString: String, options: PostgreSQLPoolOptions = PostgreSQLPoolOptions()) throws {
    guard (1...1000).contains(options.maximumConnections) else {
      throw PostgreSQLError.invalidArgument("maximumConnections must be 1…1000, got \(options.maximumConnections)")
    }
    let target = try ConnectionString(connectionString).completed(options)
    let direct = try options.notificationURL.map { try ConnectionString($0).completed(options) }
    core = PoolCore(target, options)
    listener = NotificationListener(direct ?? target, options)
  }

  deinit {
    core.close()
    listener.close()
  }

  /// Refuses new statements, closes connections as they become unused, and returns once all are closed.
  public func shutdown() async {
    core.close()
    listener.close()
    await core.waitUntilEmpty()
  }

  /// The number of open connections, and of those that are being opened. Without the one for notifications.
  public var connectionCount: Int { core.connectionCount }

  public func query(_ sql: String, _ parameters: [PostgreSQLValue]) async throws -> PostgreSQLRows {
    try await withConnection { connection in
      let rows = try await connection.run(self.statement(sql, parameters)).rows
      guard connection.status != .inTransaction else {
        throw PostgreSQLError.invalidArgument("the statement left a transaction open; use transaction(_:) instead")
      }
      return rows
    }
  }

  public func transaction<R: Sendable>(
    _ body: @Sendable (any PostgreSQLClient) async throws -> R
  ) async throws -> R {
    try Task.checkCancellation()
    let connection = try await beginTransaction()
    defer { core.release(connection) }
    let client = TransactionClient(connection, self)
    let value: R
    do {
      value = try await body(client)
      try Task.checkCancellation()
    } catch {
      client.end()
      await client.rollback()
      throw error
    }
    client.end()
    try await client.commit()
    return value
  }

  public func notifications(on channel: String) -> AsyncThrowingStream<String, any Error> {
    listener.notifications(on: channel)
  }

  // MARK: Connections

  func statement(_ sql: String, _ parameters: [PostgreSQLValue] = [], isCancellable: Bool = true) -> Statement {
    Statement(
      sql, parameters, deadline: .now.advanced(by: core.options.queryTimeout), isCancellable: isCancellable)
  }

  private func beginTransaction() async throws -> PostgreSQLConnection {
    while true {
      let connection = try await core.acquire()
      do {
        _ = try await connection.run(statement("BEGIN"))
        return connection
      } catch {
        core.release(connection)
        // BEGIN has no effect.
        guard (error as? PostgreSQLError)?.kind == .connection else { throw error }
      }
    }
  }

  /// Runs `body` with a connection, and again with another one if the connection turns out to be lost before it was used.
  private func withConnection<R: Sendable>(
    _ body: (PostgreSQLConnection) async throws -> R
  ) async throws -> R {
    while true {
      let connection = try await core.acquire()
      defer { core.release(connection) }
      do { return try await body(connection) } catch let error as PostgreSQLError
        where error.kind == .connection && !error.mayHaveRun
      { continue }
    }
  }
}

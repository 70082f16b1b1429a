/// Something that runs SQL on PostgreSQL: a ``PostgreSQLPool``, a transaction of one, or a client of your own.
///
/// A client of your own needs these three functions, and makes its rows with ``PostgreSQLRows/init(columns:rows:affectedRows:)``.
public protocol PostgreSQLClient: Sendable {
  /// Runs one statement.
  ///
  /// ```swift
  /// let rows = try await database.query("SELECT name FROM users WHERE id = $1", [.integer(42)])
  /// for row in rows { print(try row.value("name", as: String.self)) }
  /// ```
  ///
  /// - Parameters:
  ///   - sql: one statement, with parameters as `$1`, `$2`, ….
  ///   - parameters: the values of the parameters, in order.
  /// - Returns: the rows, empty if the statement returns none.
  /// - Throws: ``PostgreSQLError``; `CancellationError` if the task is cancelled.
  func query(_ sql: String, _ parameters: [PostgreSQLValue]) async throws -> PostgreSQLRows

  /// Runs `body` in a transaction, which is committed when `body` returns, and rolled back when it throws or the task is
  /// cancelled. Inside a transaction, it is a savepoint; these run one after the other.
  ///
  /// - Parameter body: receives the client of the transaction, which must not be used after `body` has returned.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws; ``PostgreSQLError``, whose `mayHaveCommitted` is true if the connection was lost during
  ///   the commit; `CancellationError` if the task is cancelled before the commit.
  func transaction<R: Sendable>(_ body: @Sendable (any PostgreSQLClient) async throws -> R) async throws -> R

  /// Returns the payloads that `NOTIFY` sends on a channel from now on.
  ///
  /// An empty text arrives each time the client has begun to listen: first, and after each lost connection, because
  /// notifications may have been missed before it. Treat it as a notification of anything.
  ///
  /// - Parameter channel: the name of the channel, at most 63 bytes, with its upper and lower case as in the database.
  /// - Returns: a stream that ends when the client is closed. It throws ``PostgreSQLError`` if listening is not possible.
  func notifications(on channel: String) -> AsyncThrowingStream<String, any Error>
}

extension PostgreSQLClient {
  /// Runs one statement without parameters.
  ///
  /// - Throws: as ``query(_:_:)``.
  @discardableResult public func query(_ sql: String) async throws -> PostgreSQLRows { try await query(sql, []) }
}

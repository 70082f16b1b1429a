import NovaPostgreSQL
internal import NovaCore

/// Runs the statements of this module at READ COMMITTED, the level that they are written for, also in a database whose
/// default is a stricter one: there, statements that meet would fail, and so would transactions of the application.
///
/// A statement cannot name its level, so with another default each one runs in a transaction that does.
final class ReadCommittedClient: PostgreSQLClient {
  static let setLevel = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED"
  /// The SQLSTATE of that in the middle of a transaction: the client is that of a transaction of the application.
  static let tooLate = "25001"

  private enum Default { case unknown, readCommitted, other }

  private let base: any PostgreSQLClient
  private let level = Locked(Default.unknown)

  /// Whether the errors of the client have no SQLSTATE that is known here.
  private let hasOwnErrors: Bool

  init(_ base: any PostgreSQLClient) {
    self.base = base
    hasOwnErrors = !(base is PostgreSQLPool)
  }

  /// Asks the database for its default, once. With a pool, it is otherwise noticed when a statement fails because of it.
  func learnDefault() async throws {
    guard level.withLock({ $0 == .unknown }) else { return }
    let rows = try await base.query("SELECT current_setting('default_transaction_isolation') AS level", [])
    let isUsual = try rows.first?.value("level", as: String.self) == "read committed"
    level.withLock { $0 = isUsual ? .readCommitted : .other }
  }

  func query(_ sql: String, _ parameters: [PostgreSQLValue]) async throws -> PostgreSQLRows {
    if hasOwnErrors { try await learnDefault() }
    if level.withLock({ $0 == .other }) { return try await queryInTransaction(sql, parameters) }
    do { return try await base.query(sql, parameters) } catch let error as PostgreSQLError
      where error.sqlState == "40001"
    {
      level.withLock { $0 = .other }
      do { return try await queryInTransaction(sql, parameters) } catch let other as PostgreSQLError
        where other.sqlState == "25P02"
      {
        // The client is that of a transaction, which only its owner can repeat.
        throw error
      }
    }
  }

  private func queryInTransaction(_ sql: String, _ parameters: [PostgreSQLValue]) async throws -> PostgreSQLRows {
    do {
      return try await base.transaction { client in
        _ = try await client.query(Self.setLevel, [])
        return try await client.query(sql, parameters)
      }
    } catch let error as PostgreSQLError where error.sqlState == Self.tooLate {
      return try await base.query(sql, parameters)
    }
  }

  /// At the database's level: the module changes only schemas in transactions of its own.
  func transaction<R: Sendable>(_ body: @Sendable (any PostgreSQLClient) async throws -> R) async throws -> R {
    try await base.transaction(body)
  }

  func notifications(on channel: String) -> AsyncThrowingStream<String, any Error> {
    base.notifications(on: channel)
  }
}

import CNovaSQLite
import NovaLibc

/// A connection to a SQLite database file. It is not `Sendable`: use it on one thread at a time.
///
/// ```swift
/// let database = try SQLiteConnection(opening: path)
/// try database.execute("CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
/// try database.transaction {
///   let insertion = try database.statement("INSERT INTO notes (text) VALUES (?)")
///   for text in texts { try insertion.bind(text).run() }
/// }
/// let text = try database.statement("SELECT text FROM notes WHERE id = ?").bind(1).firstRow { $0.text(0) }
/// ```
///
/// Threads and processes that work concurrently each need their own connection.
package final class SQLiteConnection {
  /// What survives a failure of the machine. If only the process ends or crashes, no committed transaction is lost in
  /// either mode.
  package enum Durability: Sendable {
    /// Every committed transaction survives. Each commit waits for the disk: synchronous=FULL.
    case full
    /// The database stays intact, but the last transactions can be lost: synchronous=NORMAL.
    case normal
  }

  let database: OpenDatabase

  /// The path as it was given.
  package var path: String { database.path }

  /// Opens or creates a database in WAL mode with foreign keys enforced. Only this user can read it (mode 0600,
  /// including `-wal` and `-shm`).
  ///
  /// - Parameters:
  ///   - path: the file; its directory must exist. Links, directories, and files of other users are rejected.
  ///   - durability: what survives a power failure.
  ///   - busyTimeout: how long to wait for other connections that write.
  /// - Throws: ``SQLiteError``.
  package init(
    opening path: String, durability: Durability = .normal, busyTimeout: Duration = .seconds(5)
  ) throws(SQLiteError) {
    try OpenDatabase.requireFileName(path)
    database = try SQLiteFile.openPrivately(path)
    try database.check(nova_sqlite_set_busy_timeout(database.opened(), Self.milliseconds(busyTimeout)))
    try useWriteAheadLog(waiting: busyTimeout)
    // The log is truncated to this size when SQLite starts it over.
    try execute(
      """
      PRAGMA synchronous=\(durability == .full ? "FULL" : "NORMAL"); PRAGMA fullfsync=\(durability == .full ? 1 : 0);
      PRAGMA foreign_keys=ON; PRAGMA journal_size_limit=4194304
      """)
  }

  /// Opens or creates a database with custom settings, and the process's default mode for new files.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - configuration: statements to run first, usually pragmas.
  package init(path: String, configuration: String) throws(SQLiteError) {
    database = try OpenDatabase(path)
    try execute(configuration)
  }

  /// Runs statements without parameters, up to the first one that fails. Ignores rows.
  package func execute(_ sql: String) throws(SQLiteError) { try database.execute(sql) }

  /// Returns a statement to bind and run.
  ///
  /// The connection caches what SQLite prepared for the text, so preparing it again costs one dictionary lookup. Two
  /// statements with the same text are independent.
  package func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    SQLiteStatement(try database.prepared(sql), of: database)
  }

  /// The number of rows that the last INSERT, UPDATE, or DELETE changed.
  package var changedRowCount: Int { database.pointer.map { Int(nova_sqlite_changes($0)) } ?? 0 }

  /// Closes the file. A running transaction is rolled back, and statements throw from now on. Calling it again has no
  /// effect.
  package func close() { database.close() }

  // MARK: Write-ahead log

  /// Switches a new database to WAL mode.
  ///
  /// SQLite does not wait for connections that switch at the same time, so this method does.
  private func useWriteAheadLog(waiting timeout: Duration) throws(SQLiteError) {
    let end = ContinuousClock.now.advanced(by: timeout)
    while true {
      do throws(SQLiteError) {
        // Only reads an existing database: setting auto_vacuum would wait for writers.
        if try text("PRAGMA journal_mode") == "wal" { return }
        try execute("PRAGMA auto_vacuum=INCREMENTAL")
        let mode = try text("PRAGMA journal_mode=WAL")
        if mode == "wal" { return }
        throw SQLiteError(.cannotOpen, "its file system does not support write-ahead logs", path: path)
      } catch {
        guard error.kind == .busy, ContinuousClock.now < end else { throw error }
        usleep(2000)
      }
    }
  }

  private static func milliseconds(_ duration: Duration) -> Int32 {
    let (seconds, attoseconds) = duration.components
    // A week is practically forever.
    return Int32(max(0, min(seconds, 1_000_000) * 1000 + attoseconds / 1_000_000_000_000_000))
  }

  private func text(_ sql: String) throws(SQLiteError) -> String {
    let statement = try statement(sql)
    return try statement.step() ? statement.text(0) : ""
  }
}

@available(*, unavailable) extension SQLiteConnection: Sendable {}

import CNovaSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A connection to a SQLite database file. Not `Sendable`: one thread at a time.
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
/// Each thread or process that works at the same time opens a connection of its own.
package final class SQLiteConnection {
  /// What survives a failure of the machine. A process that ends or crashes loses no committed transaction in either.
  package enum Durability: Sendable {
    /// Every committed transaction, at the price of waiting for the disk: synchronous=FULL.
    case full
    /// The database stays intact, the last transactions can be lost: synchronous=NORMAL.
    case normal
  }

  let database: OpenDatabase

  /// The path as it was given.
  package var path: String { database.path }

  /// Opens or creates a database in WAL mode that only this user can read (mode 0600, also of `-wal` and `-shm`), with
  /// foreign keys enforced.
  ///
  /// - Parameters:
  ///   - path: the file; its directory must exist. Links, directories, and files of other users are refused.
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
    // The log is cut to this size when it starts over.
    try execute(
      """
      PRAGMA synchronous=\(durability == .full ? "FULL" : "NORMAL"); PRAGMA fullfsync=\(durability == .full ? 1 : 0);
      PRAGMA foreign_keys=ON; PRAGMA journal_size_limit=4194304
      """)
  }

  /// Opens or creates a database with settings of its own, and the mode that the process gives to new files.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - configuration: statements that run first, usually pragmas.
  package init(path: String, configuration: String) throws(SQLiteError) {
    database = try OpenDatabase(path)
    try execute(configuration)
  }

  /// Runs statements without parameters, up to the first that fails. Rows are ignored.
  package func execute(_ sql: String) throws(SQLiteError) { try database.execute(sql) }

  /// Returns a statement to bind and run.
  ///
  /// The connection keeps what SQLite prepared for the text, so preparing it again costs a look into a dictionary. Two
  /// statements with the same text are independent of each other.
  package func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    SQLiteStatement(try database.prepared(sql), of: database)
  }

  /// How many rows the last INSERT, UPDATE, or DELETE changed.
  package var changedRowCount: Int { database.pointer.map { Int(nova_sqlite_changes($0)) } ?? 0 }

  /// Closes the file. A transaction is rolled back, and statements throw from now on. Does nothing the second time.
  package func close() { database.close() }

  // MARK: Write-ahead log

  /// Switches a new database to WAL mode.
  ///
  /// SQLite does not wait for connections that do the same at the same time, so this does.
  private func useWriteAheadLog(waiting timeout: Duration) throws(SQLiteError) {
    let end = ContinuousClock.now.advanced(by: timeout)
    while true {
      do throws(SQLiteError) {
        // An existing database is only read: setting auto_vacuum would wait for those who write.
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
    // More than a week is forever.
    return Int32(max(0, min(seconds, 1_000_000) * 1000 + attoseconds / 1_000_000_000_000_000))
  }

  private func text(_ sql: String) throws(SQLiteError) -> String {
    let statement = try statement(sql)
    return try statement.step() ? statement.text(0) : ""
  }
}

@available(*, unavailable) extension SQLiteConnection: Sendable {}

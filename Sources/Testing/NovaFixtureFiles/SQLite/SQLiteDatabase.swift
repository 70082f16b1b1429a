import NovaCore
import NovaLibc
import NovaSQLite

/// A new SQLite database, written in one transaction.
final class SQLiteDatabase {
  private let path: String
  private let connection: SQLiteConnection

  /// Creates the file.
  ///
  /// - Throws: ``FixtureError/failed(_:)``, for example if SQLite is not installed.
  init(creating path: String) throws(FixtureError) {
    self.path = path
    // The file is private until it is complete, so it needs no journal. The pragmas make the bytes independent of the
    // library's defaults.
    connection = try Self.writing { () throws(SQLiteError) in
      try SQLiteConnection(
        path: path,
        configuration: """
          PRAGMA page_size=4096; PRAGMA encoding='UTF-8'; PRAGMA auto_vacuum=0; PRAGMA journal_mode=OFF;
          PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-8192; PRAGMA temp_store=2;
          PRAGMA foreign_keys=ON; BEGIN
          """)
    }
  }

  func execute(_ sql: String) throws(FixtureError) {
    try Self.writing { () throws(SQLiteError) in try connection.execute(sql) }
  }

  func statement(_ sql: String) throws(FixtureError) -> SQLiteStatement {
    try Self.writing { () throws(SQLiteError) in try connection.statement(sql) }
  }

  /// Inserts the rows of another database's table, in the order in which they were written.
  ///
  /// - Parameters:
  ///   - insertion: a statement with a parameter for each column.
  ///   - table: the table in the other database.
  ///   - columnCount: the number of its columns.
  ///   - path: the other database.
  ///   - pause: called periodically.
  /// - Returns: the number of rows.
  func insert(
    _ insertion: String, rowsOf table: String, columnCount: Int, from path: String,
    pause: () throws(FixtureError) -> Void
  ) throws(FixtureError) -> Int {
    let statement = try statement(insertion)
    let (source, rows) = try Self.writing { () throws(SQLiteError) in
      let source = try SQLiteConnection(path: path, configuration: "PRAGMA query_only=ON; PRAGMA cache_size=-1024")
      return (source, try source.statement("SELECT * FROM \(table) ORDER BY rowid"))
    }
    defer { source.close() }
    var count = 0
    while try Self.writing({ () throws(SQLiteError) in try rows.step() }) {
      if count % 1024 == 0 { try pause() }
      for column in 0..<columnCount { statement.bind(rows.value(column), at: column) }
      try Self.writing { () throws(SQLiteError) in try statement.run() }
      count += 1
    }
    return count
  }

  /// Commits the transaction, which fails for unresolved references, and closes the file.
  func finish() throws(FixtureError) {
    try execute("COMMIT")
    connection.close()
    try normalizeHeader()
  }

  /// Overwrites the version of the library in SQLite's header, so that the same content has the same bytes. Readers
  /// ignore the version.
  private func normalizeHeader() throws(FixtureError) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileSystem.failure(path, to: "write") }
    defer { close(descriptor) }
    // 3.12.0, the minimum version.
    let version: [UInt8] = [0x00, 0x2D, 0xF5, 0xA0]
    guard pwrite(descriptor, version, 4, 96) == 4, fsync(descriptor) == 0 || errno == EINVAL else {
      throw FileSystem.failure(path, to: "write")
    }
  }

  /// Runs `body`, with its errors as those of fixtures.
  static func writing<Value>(_ body: () throws(SQLiteError) -> Value) throws(FixtureError) -> Value {
    do { return try body() } catch {
      let advice = error.kind == .full ? FileSystem.adviceForFullDisk : ""
      throw .failed(
        error.kind == .missingLibrary ? error.message : "cannot write \(error.path): \(error.message)\(advice)")
    }
  }
}

extension SQLiteStatement {
  /// Binds a value to a parameter, counted from 0.
  func bind(_ parameter: Int, _ value: PlainValue?) {
    switch value {
    case nil: bindNull(at: parameter)
    case .integer(let value): bind(value, at: parameter)
    case .bool(let value): bind(value, at: parameter)
    case .double(let value): bind(value, at: parameter)
    case .float(let value): bind(Double(value), at: parameter)
    // SQLite has no integers beyond 63 bits.
    case .unsigned(let value):
      if let small = Int64(exactly: value) { bind(small, at: parameter) } else { bind("\(value)", at: parameter) }
    case .some(let value): bind(value.cell, at: parameter)
    }
  }
}

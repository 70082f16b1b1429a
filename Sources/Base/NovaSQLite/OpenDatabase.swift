import CNovaSQLite
import NovaSupport

/// An open database with its prepared statements. A connection and its statements share it, so it stays open while any
/// of them is in use.
final class OpenDatabase {
  /// A prepared statement: idle, or in use by one ``SQLiteStatement``.
  struct Prepared {
    let sql: String
    let pointer: UnsafeMutableRawPointer
    let parameterCount: Int
  }

  enum Transaction { case reading, writing }

  let path: String
  /// Nil after ``close()``, which also invalidates the pointers of all statements.
  private(set) var pointer: UnsafeMutableRawPointer?
  /// The outermost running transaction.
  var transaction: Transaction?
  /// How often all statements were reset together.
  private(set) var resets = 0

  private var idle: [String: [Prepared]] = [:]
  private var idleCount = 0
  private static let idleLimit = 256

  /// Opens or creates the file.
  init(_ path: String) throws(SQLiteError) {
    if let problem = nova_sqlite_load() {
      throw SQLiteError(.missingLibrary, String(cString: problem), path: path)
    }
    try Self.requireFileName(path)
    self.path = path
    // Makes SQLite treat names such as ":memory:" as files.
    let name = path.utf8.first == UInt8(ascii: "/") ? path : "./\(path)"
    let code = name.withPath { nova_sqlite_open($0, &pointer) }
    try check(code)
  }

  deinit { close() }

  /// Rejects names that SQLite reads as a temporary database, or C as a shorter path.
  static func requireFileName(_ path: String) throws(SQLiteError) {
    if path.isEmpty || path.utf8.contains(0) {
      throw SQLiteError(.cannotOpen, "it is not the path of a file", path: path)
    }
  }

  func close() {
    guard let pointer else { return }
    idle = [:]
    idleCount = 0
    transaction = nil
    self.pointer = nil
    _ = nova_sqlite_close(pointer)
  }

  /// The pointer of the open database; throws if it is closed.
  func opened() throws(SQLiteError) -> UnsafeMutableRawPointer {
    guard let pointer else { throw .misuse("the connection is closed; open another one", path: path) }
    return pointer
  }

  func check(_ code: Int32) throws(SQLiteError) {
    if code != NOVA_SQLITE_OK { throw error(code) }
  }

  /// Creates the error of the last call.
  func error(_ code: Int32) -> SQLiteError {
    guard let pointer else { return .misuse("there is not enough memory", path: path) }
    return SQLiteError(code: code, of: pointer, path: path)
  }

  func execute(_ sql: String) throws(SQLiteError) {
    let pointer = try opened()
    try check(nova_sqlite_execute(pointer, sql))
  }

  /// Resets the statements that are between two rows, which would keep their read transaction open.
  func resetStatements() {
    guard let pointer, nova_sqlite_has_active_statements(pointer) != 0 else { return }
    resets += 1
    nova_sqlite_reset_all(pointer)
  }

  // MARK: Prepared statements

  /// Returns an idle statement with this text, or prepares a new one.
  func prepared(_ sql: String) throws(SQLiteError) -> Prepared {
    let database = try opened()
    if let prepared = idle[sql]?.popLast() {
      idleCount -= 1
      return prepared
    }
    var statement: UnsafeMutableRawPointer?
    let code = nova_sqlite_prepare(database, sql, &statement)
    guard let statement else {
      throw code == NOVA_SQLITE_MISUSE
        ? .misuse("the text is not one statement; use execute(_:) for several", path: path) : error(code)
    }
    return Prepared(sql: sql, pointer: statement, parameterCount: Int(nova_sqlite_parameter_count(statement)))
  }

  /// Keeps a statement for the next user of its text.
  func release(_ prepared: Prepared) {
    guard pointer != nil else { return }
    guard idleCount < Self.idleLimit else { return nova_sqlite_finalize(prepared.pointer) }
    _ = nova_sqlite_reset(prepared.pointer)
    // Frees the copies of texts and blobs.
    nova_sqlite_clear_bindings(prepared.pointer)
    idle[prepared.sql, default: []].append(prepared)
    idleCount += 1
  }
}

import CNovaSQLite
import NovaCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A new SQLite database, written in one transaction.
final class SQLiteDatabase {
  private let path: String
  private(set) var handle: UnsafeMutableRawPointer?

  /// Creates the file.
  ///
  /// - Throws: ``FixtureError/failed(_:)``, for example if SQLite is not installed.
  init(creating path: String) throws(FixtureError) {
    if let problem = nova_sqlite_load() { throw .failed(String(cString: problem)) }
    self.path = path
    try check(nova_sqlite_open(path, &handle))
    // The file is private until it is complete, so it needs no journal. The pragmas make the bytes independent of the
    // library's defaults.
    try execute(
      """
      PRAGMA page_size=4096; PRAGMA encoding='UTF-8'; PRAGMA auto_vacuum=0; PRAGMA journal_mode=OFF;
      PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-8192; PRAGMA temp_store=2;
      PRAGMA foreign_keys=ON; BEGIN
      """)
  }

  deinit { _ = nova_sqlite_close(handle) }

  func execute(_ sql: String) throws(FixtureError) {
    guard let handle else { return }
    try check(nova_sqlite_execute(handle, sql))
  }

  /// Commits the transaction, which fails for unresolved references, and closes the file.
  func finish() throws(FixtureError) {
    try execute("COMMIT")
    try check(nova_sqlite_close(handle))
    handle = nil
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

  func check(_ code: Int32, expecting expected: Int = NOVA_SQLITE_OK) throws(FixtureError) {
    if code == Int32(expected) { return }
    guard let handle else { throw .failed("cannot write \(path): SQLite has no memory") }
    let number = nova_sqlite_system_error(handle)
    if number != 0 { throw FileSystem.failure(path, to: "write", SystemError(code: number)) }
    throw .failed("cannot write \(path): \(String(cString: nova_sqlite_message(handle)))")
  }
}

/// A prepared statement.
final class SQLiteStatement {
  private let database: SQLiteDatabase
  private let handle: UnsafeMutableRawPointer
  private var problem = Int32(NOVA_SQLITE_OK)

  init(_ sql: String, in database: SQLiteDatabase) throws(FixtureError) {
    self.database = database
    var handle: UnsafeMutableRawPointer?
    if let opened = database.handle { try database.check(nova_sqlite_prepare(opened, sql, &handle)) }
    guard let handle else { throw .failed("cannot write the database: it is closed") }
    self.handle = handle
  }

  deinit { nova_sqlite_finalize(handle) }

  /// Binds a value to a parameter, counted from 0.
  func bind(_ parameter: Int, _ value: PlainValue?) {
    let place = Int32(parameter + 1)
    switch value {
    case nil: keep(nova_sqlite_bind_null(handle, place))
    case .integer(let value): keep(nova_sqlite_bind_integer(handle, place, value))
    case .bool(let value): keep(nova_sqlite_bind_integer(handle, place, value ? 1 : 0))
    case .double(let value): keep(nova_sqlite_bind_double(handle, place, value))
    case .float(let value): keep(nova_sqlite_bind_double(handle, place, Double(value)))
    // SQLite has no integers beyond 63 bits.
    case .unsigned(let value):
      if let small = Int64(exactly: value) {
        keep(nova_sqlite_bind_integer(handle, place, small))
      } else {
        bind(parameter, text: "\(value)")
      }
    case .some(let value): bind(parameter, text: value.cell)
    }
  }

  func bind(_ parameter: Int, text: String) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        keep(nova_sqlite_bind_text(handle, Int32(parameter + 1), characters.baseAddress, characters.count))
      }
    }
  }

  /// Runs the statement.
  func run() throws(FixtureError) {
    try database.check(problem)
    try database.check(nova_sqlite_run(handle), expecting: NOVA_SQLITE_DONE)
  }

  private func keep(_ code: Int32) { if problem == NOVA_SQLITE_OK { problem = code } }
}

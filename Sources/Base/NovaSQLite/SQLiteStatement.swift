import CNovaSQLite

/// A prepared statement. Parameters and columns are counted from 0.
///
/// ```swift
/// let selection = try database.statement("SELECT name, size FROM files WHERE size > ?")
/// try selection.bind(1024).forEachRow { row in
///   print(row.text(0), row.int(1))
/// }
/// ```
///
/// The next step throws an error that occurred while binding. A statement between two rows keeps a read transaction
/// open. It ends with the last row, with ``reset()``, with the enclosing transaction, or when the statement is
/// released.
package final class SQLiteStatement {
  let database: OpenDatabase
  private let prepared: OpenDatabase.Prepared
  /// Whether the statement is between two rows.
  private var isActive = false
  /// The value of `OpenDatabase.resets` at the first step.
  private var resets = 0
  private var problem: SQLiteError?

  init(_ prepared: OpenDatabase.Prepared, of database: OpenDatabase) {
    self.prepared = prepared
    self.database = database
  }

  deinit { database.release(prepared) }

  /// The prepared statement, for binding and columns; nil after the connection is closed.
  var pointer: UnsafeMutableRawPointer? { database.pointer == nil ? nil : prepared.pointer }

  // MARK: Parameters

  /// Binds all parameters, in order; nil is NULL. Resets the statement.
  @discardableResult package func bind(_ values: (any SQLiteValue)?...) -> SQLiteStatement { bind(all: values) }

  /// Binds all parameters, in order; nil is NULL. Resets the statement.
  @discardableResult package func bind(all values: [(any SQLiteValue)?]) -> SQLiteStatement {
    reset()
    if values.count != prepared.parameterCount {
      problem = .misuse(
        "a statement has \(prepared.parameterCount) parameters, got \(values.count) values; bind all of them",
        path: database.path)
      return self
    }
    for index in values.indices {
      if let value = values[index] { value.bind(to: self, at: index) } else { bindNull(at: index) }
    }
    return self
  }

  /// Binds one parameter; the others keep their values. nil is NULL.
  @discardableResult package func bind<Value: SQLiteValue>(_ value: Value?, at parameter: Int) -> SQLiteStatement {
    if isActive { reset() }
    if let value { value.bind(to: self, at: parameter) } else { bindNull(at: parameter) }
    return self
  }

  /// Binds NULL to one parameter.
  @discardableResult package func bindNull(at parameter: Int) -> SQLiteStatement {
    bind(parameter) { nova_sqlite_bind_null($0, $1) }
  }

  /// Calls SQLite with its own number of the parameter, and records the first failure.
  @inline(__always) @discardableResult
  func bind(_ parameter: Int, _ body: (UnsafeMutableRawPointer, Int32) -> Int32) -> SQLiteStatement {
    // The next step reports that the connection is closed.
    guard let pointer else { return self }
    let code = body(pointer, Int32(truncatingIfNeeded: parameter + 1))
    if code != NOVA_SQLITE_OK, problem == nil { problem = database.error(code) }
    return self
  }

  // MARK: Steps

  /// Runs the statement to its end, ignores any rows, and resets it.
  package func run() throws(SQLiteError) {
    if isActive { reset() }
    try prepare()
    let code = nova_sqlite_run(prepared.pointer)
    if code != NOVA_SQLITE_DONE { throw database.error(code) }
  }

  /// Advances to the next row. At the end, and after an error, the statement is reset.
  ///
  /// Prefer ``forEachRow(_:)`` and ``firstRow(_:)``, which reset it in any case.
  ///
  /// - Returns: whether there is a row.
  package func step() throws(SQLiteError) -> Bool {
    if isActive, resets != database.resets {
      isActive = false
      throw .misuse("a statement was reset at the end of its transaction; read its rows inside", path: database.path)
    }
    if !isActive { try prepare() } else { _ = try database.opened() }
    let code = nova_sqlite_step(prepared.pointer)
    if code == NOVA_SQLITE_ROW {
      isActive = true
      resets = database.resets
      return true
    }
    // Reads the error first, because a reset can replace it.
    let error = code == NOVA_SQLITE_DONE ? nil : database.error(code)
    isActive = false
    _ = nova_sqlite_reset(prepared.pointer)
    if let error { throw error }
    return false
  }

  /// Stops reading, and makes the statement ready to run again with the same parameters.
  package func reset() {
    problem = nil
    isActive = false
    if let pointer { _ = nova_sqlite_reset(pointer) }
  }

  /// Calls `body` with this statement for each row, and resets the statement, even when `body` throws.
  package func forEachRow(_ body: (SQLiteStatement) throws -> Void) throws {
    if isActive { reset() }
    defer { reset() }
    while try step() { try body(self) }
  }

  /// Returns the result of `body` for the first row; nil if there is no row. Resets the statement, even when `body` throws.
  package func firstRow<Value>(_ body: (SQLiteStatement) throws -> Value) throws -> Value? {
    if isActive { reset() }
    defer { reset() }
    return try step() ? try body(self) : nil
  }

  /// Throws anything that prevents the first step.
  private func prepare() throws(SQLiteError) {
    let pointer = try database.opened()
    if let problem {
      self.problem = nil
      throw problem
    }
    // Otherwise, the rest of a transaction would be stored although its beginning was rolled back.
    if database.transaction != nil, nova_sqlite_is_autocommit(pointer) != 0 {
      throw .misuse("the transaction was rolled back after an error; leave it and try again", path: database.path)
    }
  }
}

@available(*, unavailable) extension SQLiteStatement: Sendable {}

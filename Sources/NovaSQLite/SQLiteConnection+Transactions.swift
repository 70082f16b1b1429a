import CNovaSQLite

extension SQLiteConnection {
  /// Runs `body` in a write transaction (BEGIN IMMEDIATE), which is rolled back if `body` throws.
  ///
  /// Inside of another `transaction`, `body` joins it: only the outermost one commits or rolls back, so an error that is
  /// caught in between undoes nothing. Statements that are between two rows at the end are reset.
  ///
  /// - Throws: ``SQLiteError``, ``SQLiteError/Kind/busy`` if another connection writes for longer than the timeout; and
  ///   what `body` throws. Cannot begin inside of `reading`, nor between two rows of a statement.
  package func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    try run(.writing, body)
  }

  /// Runs `body` in a read transaction (BEGIN DEFERRED): it sees one state, whatever others write meanwhile.
  ///
  /// Inside of another `reading` or `transaction`, `body` joins it. Keep it short: the log cannot be emptied meanwhile.
  package func reading<Value>(_ body: () throws -> Value) throws -> Value {
    try run(.reading, body)
  }

  private func run<Value>(_ kind: OpenDatabase.Transaction, _ body: () throws -> Value) throws -> Value {
    if let outer = database.transaction {
      guard kind == .reading || outer == .writing else {
        throw SQLiteError.misuse("a write transaction began inside of a read transaction; write after it", path: path)
      }
      return try body()
    }
    try begin(kind)
    let value: Value
    do {
      value = try body()
      database.resetStatements()
      try execute("COMMIT")
    } catch {
      rollBack()
      throw error
    }
    database.transaction = nil
    return value
  }

  private func begin(_ kind: OpenDatabase.Transaction) throws(SQLiteError) {
    // A statement that was left between two rows would make the transaction see its old state.
    if nova_sqlite_has_active_statements(try database.opened()) != 0 {
      throw .misuse("a transaction began between two rows of a statement; reset the statement first", path: path)
    }
    try execute(kind == .writing ? "BEGIN IMMEDIATE" : "BEGIN DEFERRED")
    database.transaction = kind
  }

  private func rollBack() {
    database.transaction = nil
    database.resetStatements()
    // SQLite itself rolls back after some errors. This one cannot fail: the log is simply not used.
    if let pointer = database.pointer, nova_sqlite_is_autocommit(pointer) == 0 { try? execute("ROLLBACK") }
  }
}

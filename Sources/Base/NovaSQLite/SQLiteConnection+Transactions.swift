import CNovaSQLite

extension SQLiteConnection {
  /// Runs `body` in a write transaction (BEGIN IMMEDIATE), and rolls it back if `body` throws.
  ///
  /// Inside another `transaction`, `body` joins it. Only the outermost one commits or rolls back, so catching an error
  /// in between undoes nothing. Statements that are between two rows at the end are reset.
  ///
  /// - Throws: ``SQLiteError``, with ``SQLiteError/Kind/busy`` if another connection writes for longer than the
  ///   timeout; and what `body` throws. A transaction cannot begin inside `reading`, or while a statement is between
  ///   two rows.
  package func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    try run(.writing, body)
  }

  /// Runs `body` in a read transaction (BEGIN DEFERRED): it sees one state, even if others write at the same time.
  ///
  /// Inside another `reading` or `transaction`, `body` joins it. Keep it short, because the log cannot be emptied until
  /// it ends.
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
    // With a statement between two rows, the transaction would see that statement's old state.
    if nova_sqlite_has_active_statements(try database.opened()) != 0 {
      throw .misuse("a transaction began between two rows of a statement; reset the statement first", path: path)
    }
    try execute(kind == .writing ? "BEGIN IMMEDIATE" : "BEGIN DEFERRED")
    database.transaction = kind
  }

  private func rollBack() {
    database.transaction = nil
    database.resetStatements()
    // After some errors, SQLite rolls back by itself. This rollback cannot fail: it only discards the log.
    if let pointer = database.pointer, nova_sqlite_is_autocommit(pointer) == 0 { try? execute("ROLLBACK") }
  }
}

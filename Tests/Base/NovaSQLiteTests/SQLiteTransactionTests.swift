import NovaSQLite
import Testing

@Suite struct SQLiteTransactionTests {
  private let folder: DatabaseFolder
  private let connection: SQLiteConnection

  init() throws {
    folder = try DatabaseFolder()
    connection = try folder.openWithTable()
  }

  @Test func commitsAndReturnsAValue() throws {
    let value = try connection.transaction {
      try connection.insert(1, 2)
      return "done"
    }
    #expect(value == "done")
    #expect(try folder.open().rowCount == 2)
  }

  @Test func rollsBackWhenTheBodyThrows() throws {
    #expect(throws: Stop.self) {
      try connection.transaction {
        try connection.insert(1)
        throw Stop()
      }
    }
    #expect(try connection.rowCount == 0)
    // Nothing remains of it.
    try connection.transaction { try connection.insert(2) }
    #expect(try connection.rowCount == 1)
  }

  @Test func innerTransactionsJoinTheOuterOne() throws {
    #expect(throws: Stop.self) {
      try connection.transaction {
        try connection.transaction { try connection.insert(1) }
        #expect(try connection.reading { try connection.rowCount } == 1)
        throw Stop()
      }
    }
    #expect(try connection.rowCount == 0)
    try connection.transaction {
      try connection.insert(1)
      #expect(throws: Stop.self) { try connection.transaction { throw Stop() } }
      try connection.insert(2)
    }
    #expect(try connection.rowCount == 2)
  }

  @Test func readTransactionsDoNotTurnIntoWriters() throws {
    try connection.reading {
      let error = #expect(throws: SQLiteError.self) { try connection.transaction {} }
      #expect(error?.message == "a write transaction began inside of a read transaction; write after it")
    }
    try connection.transaction { try connection.insert(1) }
  }

  @Test func nothingIsStoredAfterSQLiteRolledBack() throws {
    try connection.insert(1)
    #expect(throws: SQLiteError.self) {
      try connection.transaction {
        try connection.insert(2)
        #expect(try errorKind { try connection.execute("INSERT OR ROLLBACK INTO t (n) VALUES (1)") } == .constraint)
        #expect(try errorKind { try connection.insert(3) } == .other)
      }
    }
    #expect(try connection.rowCount == 1)
  }

  @Test func closingRollsBack() throws {
    #expect(throws: SQLiteError.self) {
      try connection.transaction {
        try connection.insert(1)
        connection.close()
      }
    }
    #expect(try folder.open().rowCount == 0)
  }

  @Test func constraintsAreErrors() throws {
    try connection.insert(1)
    #expect(try errorKind { try connection.insert(1) } == .constraint)
    try connection.execute(
      "CREATE TABLE child (n INTEGER REFERENCES t (n) DEFERRABLE INITIALLY DEFERRED)")
    let error = #expect(throws: SQLiteError.self) {
      try connection.transaction { try connection.execute("INSERT INTO child VALUES (9)") }
    }
    #expect(error?.kind == .constraint)
    #expect(error?.description == "cannot use \(folder.path): FOREIGN KEY constraint failed; change the values")
    #expect(try connection.number("SELECT count(*) FROM child") == 0)
  }
}

import NovaSQLite
import Testing

@Suite struct SQLiteStatementTests {
  private let folder: DatabaseFolder
  private let connection: SQLiteConnection

  init() throws {
    folder = try DatabaseFolder()
    connection = try folder.openWithTable()
    try connection.insert(1, 2, 3)
  }

  /// Whether the connection still reads an old state, which prevents the log from being emptied.
  private func hasOpenReadTransaction() throws -> Bool {
    let other = try folder.open(busyTimeout: .zero)
    try other.execute("INSERT INTO t (v) VALUES ('new')")
    return try other.number("PRAGMA wal_checkpoint(TRUNCATE)") == 1
  }

  @Test func rowsAreReadInOrder() throws {
    var numbers: [Int] = []
    let selection = try connection.statement("SELECT n FROM t WHERE n > ? ORDER BY n")
    try selection.bind(1).forEachRow { numbers.append($0.int(0)) }
    try selection.bind(2).forEachRow { numbers.append($0.int(0)) }
    #expect(numbers == [2, 3, 3])
    #expect(try selection.bind(9).firstRow { $0.int(0) } == nil)
  }

  @Test func statementsWithTheSameTextAreIndependent() throws {
    var pairs: [[Int]] = []
    let text = "SELECT n FROM t ORDER BY n"
    try connection.statement(text).forEachRow { outer in
      try connection.statement(text).forEachRow { inner in pairs.append([outer.int(0), inner.int(0)]) }
    }
    #expect(pairs == [1, 2, 3].flatMap { outer in [1, 2, 3].map { [outer, $0] } })
  }

  @Test func parametersAreNotLeftToTheNextUser() throws {
    try connection.statement("INSERT INTO t (v) VALUES (?)").bind("secret").run()
    try connection.statement("INSERT INTO t (v) VALUES (?)").run()
    #expect(try connection.number("SELECT count(*) FROM t WHERE v = 'secret'") == 1)
  }

  @Test func parametersCanBeBoundOneByOne() throws {
    let insertion = try connection.statement("INSERT INTO t (n, v) VALUES (?, ?)")
    try insertion.bind("x", at: 1).bind(10, at: 0).run()
    try insertion.bind(11, at: 0).run()
    try insertion.bindNull(at: 1).bind(12, at: 0).run()
    #expect(try connection.number("SELECT sum(n) FROM t WHERE v = 'x'") == 21)
    #expect(try connection.number("SELECT n FROM t WHERE v IS NULL AND n > 9") == 12)
  }

  @Test func failuresToBindAreThrownByTheNextStep() throws {
    let insertion = try connection.statement("INSERT INTO t (n, v) VALUES (?, ?)")
    let error = #expect(throws: SQLiteError.self) { try insertion.bind(1).run() }
    #expect(
      error?.description
        == "cannot use \(folder.path): a statement has 2 parameters, got 1 values; bind all of them")
    #expect(throws: SQLiteError.self) { try insertion.bind(1, at: 2).run() }
    #expect(throws: SQLiteError.self) { try insertion.bind(1, at: -1).run() }
    try insertion.bind(4, "four").run()
    #expect(try connection.rowCount == 4)
  }

  @Test(arguments: ["", " ;", "SELECT 1; SELECT 2", "-- nothing"])
  func aStatementIsExactlyOne(_ text: String) throws {
    let error = #expect(throws: SQLiteError.self) { try connection.statement(text) }
    #expect(error?.message == "the text is not one statement; use execute(_:) for several")
  }

  @Test func changedRowsAreCounted() throws {
    try connection.statement("UPDATE t SET v = 1 WHERE n > ?").bind(1).run()
    #expect(connection.changedRowCount == 2)
    try connection.execute("DELETE FROM t WHERE n = 99")
    #expect(connection.changedRowCount == 0)
  }

  @Test func runIgnoresRowsAndDoesAllOfTheWork() throws {
    try connection.statement("SELECT n FROM t").run()
    #expect(try !hasOpenReadTransaction())
  }

  // MARK: Read transactions

  @Test func aForgottenStatementEndsItsReadTransaction() throws {
    func firstNumber() throws -> Int {
      let selection = try connection.statement("SELECT n FROM t ORDER BY n")
      return try selection.step() ? selection.int(0) : 0
    }
    #expect(try firstNumber() == 1)
    #expect(try !hasOpenReadTransaction())
    #expect(try connection.rowCount == 4)
  }

  @Test func errorsAndTheLastRowEndIt() throws {
    let selection = try connection.statement("SELECT n FROM t")
    #expect(throws: Stop.self) { try selection.forEachRow { _ in throw Stop() } }
    #expect(try !hasOpenReadTransaction())
    #expect(throws: Stop.self) { try selection.firstRow { _ in throw Stop() } }
    #expect(try !hasOpenReadTransaction())
    while try selection.step() {}
    #expect(try !hasOpenReadTransaction())
    #expect(try selection.step())
    #expect(try hasOpenReadTransaction())
    selection.reset()
    #expect(try !hasOpenReadTransaction())
  }

  @Test func transactionsResetTheStatementsBegunInside() throws {
    let selection = try connection.statement("SELECT n FROM t WHERE n > 0 ORDER BY n")
    #expect(try connection.reading { try selection.step() })
    #expect(try !hasOpenReadTransaction())
    let error = #expect(throws: SQLiteError.self) { try selection.step() }
    #expect(error?.message == "a statement was reset at the end of its transaction; read its rows inside")
    #expect(try selection.firstRow { $0.int(0) } == 1)
  }

  @Test func transactionsDoNotBeginBetweenRows() throws {
    let selection = try connection.statement("SELECT n FROM t ORDER BY n")
    #expect(try selection.step())
    #expect(throws: SQLiteError.self) { try connection.transaction {} }
    #expect(throws: SQLiteError.self) { try connection.reading {} }
    // The rows can still be read.
    #expect(try selection.step() && selection.int(0) == 2)
    selection.reset()
    try connection.transaction { try connection.insert(4) }
  }

  // MARK: Closing

  @Test func closingEndsStatements() throws {
    let selection = try connection.statement("SELECT n FROM t ORDER BY n")
    #expect(try selection.step())
    connection.close()
    connection.close()
    // The last connection removes the log.
    #expect(DatabaseFolder.status("\(folder.path)-wal") == nil)
    #expect(selection.int(0) == 0 && selection.text(0) == "" && selection.isNull(0))
    for use in [{ _ = try selection.step() }, { try selection.bind().run() }, { try connection.execute("SELECT 1") }] {
      let error = #expect(throws: SQLiteError.self) { try use() }
      #expect(error?.message == "the connection is closed; open another one")
    }
    selection.reset()
  }

  @Test func statementsKeepTheirDatabaseOpen() throws {
    let selection = try folder.open().statement("SELECT n FROM t ORDER BY n")
    #expect(try selection.firstRow { $0.int(0) } == 1)
  }

  /// More texts than the connection caches.
  @Test func manyTextsCanBeUsed() throws {
    for number in 0..<600 { #expect(try connection.number("SELECT \(number)") == number) }
    for number in 0..<600 { #expect(try connection.number("SELECT \(number)") == number) }
  }
}

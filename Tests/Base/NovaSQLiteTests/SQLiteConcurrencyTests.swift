import NovaLibc
import NovaSQLite
import Testing

/// Several connections, in this process and in others.
@Suite struct SQLiteConcurrencyTests {
  private let folder: DatabaseFolder

  init() throws { folder = try DatabaseFolder() }

  /// Increments a counter. The count is wrong if two connections do it at the same time.
  private static func count(_ times: Int, _ path: String) throws {
    let connection = try SQLiteConnection(opening: path, busyTimeout: .seconds(60))
    try connection.transaction {
      try connection.execute(
        "CREATE TABLE IF NOT EXISTS counter (n INTEGER); INSERT INTO counter SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM counter)"
      )
    }
    for _ in 0..<times {
      try connection.transaction {
        let value = try connection.statement("SELECT n FROM counter").firstRow { $0.int(0) } ?? 0
        try connection.statement("UPDATE counter SET n = ?").bind(value + 1).run()
      }
    }
  }

  @Test func writersTakeTurns() throws {
    let first = try folder.openWithTable()
    let second = try folder.open(busyTimeout: .zero)
    try first.transaction {
      try first.insert(1)
      let error = #expect(throws: SQLiteError.self) { try second.transaction {} }
      #expect(error?.kind == .busy)
      #expect(
        error?.description
          == "cannot use \(folder.path): database is locked; another connection is writing, try again later")
      #expect(try errorKind { try second.insert(2) } == .busy)
      // Opening the database does not wait, either.
      #expect(try folder.open(busyTimeout: .zero).rowCount == 0)
    }
    try second.insert(2)
    #expect(try first.rowCount == 2)
  }

  @Test func readersSeeOneState() throws {
    let reader = try folder.openWithTable()
    let writer = try folder.open()
    try reader.reading {
      #expect(try reader.rowCount == 0)
      try writer.insert(1)
      #expect(try reader.rowCount == 0)
    }
    #expect(try reader.rowCount == 1)
  }

  @Test func theDataVersionTellsTheWritesOfOthers() throws {
    let first = try folder.openWithTable()
    let second = try folder.open()
    let version = try first.dataVersion()
    try first.insert(1)
    #expect(try first.dataVersion() == version)
    try second.insert(2)
    #expect(try first.dataVersion() != version)
  }

  /// All of them try to create it, too.
  @Test func threadsCountTogether() async throws {
    let path = folder.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 { group.addTask { try Self.count(25, path) } }
      try await group.waitForAll()
    }
    #expect(try folder.open().number("SELECT n FROM counter") == 150)
  }

  @Test func processesCountTogether() async throws {
    let path = folder.path
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String] in try Self.count(50, path) }
        }
      }
      group.addTask { #expect(throws: Never.self) { try Self.count(50, path) } }
    }
    #expect(try folder.open().number("SELECT n FROM counter") == 150)
  }

  @Test func aProcessThatIsKilledLeavesTheOldState() async throws {
    let path = folder.path
    do {
      let connection = try folder.openWithTable()
      try connection.insert(1)
    }
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let connection = try SQLiteConnection(opening: path)
      try connection.insert(2)
      // So little memory that the transaction's pages are already in the log.
      try connection.execute("PRAGMA cache_size=10")
      try connection.transaction {
        for _ in 0..<500 {
          try connection.statement("INSERT INTO t (v) VALUES (?)").bind([UInt8](repeating: 7, count: 2000)).run()
        }
        kill(getpid(), SIGKILL)
      }
    }
    let size = try #require(DatabaseFolder.status("\(path)-wal")).size
    #expect(size > 500_000)
    let connection = try folder.open()
    #expect(try connection.rowCount == 2)
    #expect(try connection.statement("PRAGMA integrity_check").firstRow { $0.text(0) } == "ok")
    try connection.insert(3)
  }
}

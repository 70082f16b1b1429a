import NovaSQLite
import NovaSupport
import NovaTestSupport
import Testing

/// Reads rows from pages, without SQLite.
@Suite struct DamagedPagesTests {
  private static let schema = """
    PRAGMA secure_delete=ON;
    CREATE TABLE entries (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, size INTEGER, ratio REAL, data BLOB,
      UNIQUE (name));
    CREATE TABLE others (name TEXT, size INTEGER)
    """

  /// A database with rows of all sizes, some of which were deleted, and its content.
  private func database(
    _ folder: TemporaryFolder, seed: UInt64, closes: Bool
  ) throws -> (connection: SQLiteConnection, rows: [DamagedPages.Row]) {
    var random = SeededGenerator(seed: seed)
    let connection = try SQLiteConnection(opening: "\(folder.path)/test.db")
    try connection.execute(Self.schema)
    let insertion = try connection.statement("INSERT INTO entries (name, size, ratio, data) VALUES (?, ?, ?, ?)")
    let sizes: [ColumnValue] = [
      .null, .integer(0), .integer(1), .integer(-1), .integer(.max), .integer(.min), .integer(70_000),
      .integer(-9_000_000),
    ]
    for number in 0..<200 {
      let count =
        random.one(in: 5) ? Int.random(in: 0...20_000, using: &random) : Int.random(in: 0...300, using: &random)
      let name = "\(number) é👍 \(String(repeating: "x", count: count))"
      insertion.bind(ColumnValue.text(name), at: 0)
      insertion.bind(sizes[number % sizes.count], at: 1)
      insertion.bind(number % 3 == 0 ? ColumnValue.null : .real(Double(number) + 0.5), at: 2)
      insertion.bind(ColumnValue.blob(Array(repeating: UInt8(number), count: number)), at: 3)
      try insertion.run()
      try connection.statement("INSERT INTO others VALUES (?, ?)").bind("other", number).run()
    }
    for id in stride(from: 3, to: 200, by: Int.random(in: 2...5, using: &random)) {
      try connection.statement("DELETE FROM entries WHERE id = ?").bind(id).run()
    }
    var rows: [DamagedPages.Row] = []
    try connection.statement("SELECT id, name, size, ratio, data FROM entries ORDER BY id").forEachRow { row in
      // The values don't include the rowid.
      rows.append(DamagedPages.Row(id: row.int64(0), values: [.null] + (1...4).map { row.value($0) }))
    }
    if closes { connection.close() }
    return (connection, rows)
  }

  private func read(_ folder: TemporaryFolder) throws -> (file: [UInt8], log: [UInt8]) {
    let file = try #require(try SystemIO.readFile("\(folder.path)/test.db"))
    return (file, ((try? SystemIO.readFile("\(folder.path)/test.db-wal")) ?? nil) ?? [])
  }

  /// The schema's table has five columns as well, and none of them is the rowid.
  private func entries(_ pages: DamagedPages) -> [DamagedPages.Row] {
    pages.rows(columnCount: 5).filter { $0.values[0] == .null }
  }

  private func sorted(_ rows: [DamagedPages.Row]) -> [DamagedPages.Row] { rows.sorted { $0.id < $1.id } }

  @Test(arguments: [UInt64](1...6), [true, false]) func allRowsAreFound(seed: UInt64, closes: Bool) throws {
    let folder = try TemporaryFolder()
    let (connection, rows) = try database(folder, seed: seed, closes: closes)
    let (file, log) = try read(folder)
    #expect(log.isEmpty == closes)
    #expect(sorted(entries(DamagedPages(file: file, log: log))) == rows)
    connection.close()
  }

  /// Whichever page is damaged, no row is invented or changed, and all rows without a byte in that page are found.
  @Test(arguments: [UInt64](1...20)) func damageCostsOnlyWhatItHits(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let (_, rows) = try database(folder, seed: 7, closes: true)
    var (file, _) = try read(folder)
    var random = SeededGenerator(seed: seed)
    let page = Int.random(in: 0..<file.count / 4096, using: &random)
    for index in page * 4096..<(page + 1) * 4096 { file[index] = .random(in: 0...255, using: &random) }
    let found = entries(DamagedPages(file: file))
    let known = Set(rows)
    #expect(found.allSatisfy { known.contains($0) || $0.values.contains { Self.holds($0, noiseIn: rows) } })
    // A page contains at most a dozen rows, or part of one.
    #expect(Set(found).intersection(known).count >= rows.count - 80)
  }

  /// The content of a long row that continues on the damaged page cannot be distinguished from a sound one.
  private static func holds(_ value: ColumnValue, noiseIn rows: [DamagedPages.Row]) -> Bool {
    switch value {
    case .text(let text): !rows.contains { $0.values[1] == .text(text) }
    case .blob: true
    default: false
    }
  }

  @Test func noiseHasNoRows() {
    var random = SeededGenerator(seed: 1)
    for count in [0, 1, 50, 100, 4096, 5000, 40_000] {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = DamagedPages(file: bytes, log: bytes).rows(columnCount: 17)
      #expect(DamagedPages(file: [], log: bytes).rows(columnCount: 17).isEmpty)
    }
  }
}

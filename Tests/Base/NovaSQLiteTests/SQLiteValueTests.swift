import NovaSQLite
import Testing

@Suite struct SQLiteValueTests {
  private let folder: DatabaseFolder
  private let connection: SQLiteConnection

  init() throws {
    folder = try DatabaseFolder()
    connection = try folder.openWithTable()
  }

  /// Stores a value, and reads it and its type in SQLite.
  private func stored<Value>(
    _ value: (any SQLiteValue)?, _ read: (SQLiteStatement) -> Value
  ) throws -> (value: Value, type: String)? {
    try connection.execute("DELETE FROM t")
    try connection.statement("INSERT INTO t (v) VALUES (?)").bind(value).run()
    return try connection.statement("SELECT v, typeof(v) FROM t").firstRow { (read($0), $0.text(1)) }
  }

  @Test(arguments: [0, 1, -1, 1 << 31, .min, .max] as [Int64])
  func integers(_ value: Int64) throws {
    let found = try #require(try stored(value) { $0.int64(0) })
    #expect(found == (value, "integer"))
    #expect(try stored(Int(value)) { $0.int(0) }?.value == Int(value))
  }

  @Test(arguments: [0, -0.0, 0.1, .pi, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, -.infinity])
  func doubles(_ value: Double) throws {
    let found = try #require(try stored(value) { $0.double(0) })
    #expect(found == (value, "real"))
  }

  @Test func notANumberIsNull() throws {
    #expect(try stored(Double.nan) { $0.isNull(0) }?.value == true)
  }

  @Test(arguments: [
    "", "a", "zwölf Zeichen, and some more", "\u{0}", "a\u{0}b\u{0}", "👩‍👩‍👧", String(repeating: "ß", count: 100_000),
  ])
  func texts(_ value: String) throws {
    let found = try #require(try stored(value) { $0.text(0) })
    #expect(found == (value, "text"))
    #expect(try stored(value) { $0.isNull(0) }?.value == false)
  }

  @Test(arguments: [0, 1, 2, 4096, 1 << 20])
  func blobs(_ count: Int) throws {
    let value = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let found = try #require(try stored(value) { $0.bytes(0) })
    #expect(found.value == value && found.type == "blob")
    #expect(try stored(value) { $0.isNull(0) }?.value == false)
    #expect(try stored(value) { $0.withUnsafeBytes(of: 0) { $0.count } }?.value == count)
  }

  @Test func booleans() throws {
    #expect(try stored(true) { $0.bool(0) }?.value == true)
    #expect(try stored(false) { $0.bool(0) }?.value == false)
    #expect(try stored(true) { $0.int(0) }?.type == "integer")
  }

  @Test func nullReadsAsNothing() throws {
    let found = try #require(
      try stored(nil) { ($0.isNull(0), $0.int64(0), $0.double(0), $0.text(0), $0.bytes(0)) })
    #expect(found.value == (true, 0, 0, "", []))
    // A column that does not exist behaves the same.
    #expect(try stored(1) { $0.isNull(7) && $0.text(-1) == "" }?.value == true)
  }

  @Test func invalidTextIsReplaced() throws {
    #expect(try connection.statement("SELECT CAST(x'61FF62' AS TEXT)").firstRow { $0.text(0) } == "a\u{FFFD}b")
  }
}

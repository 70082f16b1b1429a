/// A column of a result.
public struct PostgreSQLColumn: Sendable, Hashable {
  /// The name in the result.
  public var name: String
  /// The type's identifier (OID) in `pg_type`: 25 for `text`, 17 for `bytea`.
  public var type: UInt32

  /// Creates a column.
  ///
  /// - Parameter type: the type's identifier. Default: `text`.
  public init(name: String, type: UInt32 = 25) { (self.name, self.type) = (name, type) }
}

/// The result of a statement.
public struct PostgreSQLRows: Sendable, RandomAccessCollection {
  let storage: RowStorage

  /// Creates a result, for clients of your own and for tests.
  ///
  /// - Parameters:
  ///   - columns: the columns.
  ///   - rows: the values of each row as PostgreSQL writes them as text, `\x00ff` for a `bytea`; nil is `NULL`. Each row
  ///     must have as many values as there are columns.
  ///   - affectedRows: the number of rows that the statement inserted, updated, deleted, or returned. Default: the number
  ///     of rows.
  public init(columns: [PostgreSQLColumn] = [], rows: [[[UInt8]?]] = [], affectedRows: Int? = nil) {
    var storage = RowStorage(columns: columns)
    for row in rows {
      precondition(row.count == columns.count, "a row must have a value for each column")
      for value in row {
        if let value { value.withUnsafeBytes { storage.append($0) } } else { storage.appendNull() }
      }
    }
    storage.finish(rowCount: rows.count, affectedRows: affectedRows ?? rows.count)
    self.storage = storage
  }

  init(storage: RowStorage) { self.storage = storage }

  /// The columns, also of an empty result; empty for a statement that returns no rows.
  public var columns: [PostgreSQLColumn] { storage.columns }
  /// The number of rows that the statement inserted, updated, deleted, or returned; 0 for other statements.
  public var affectedRows: Int { storage.affectedRows }
  public var startIndex: Int { 0 }
  public var endIndex: Int { storage.rowCount }
  public subscript(position: Int) -> PostgreSQLRow {
    precondition(indices.contains(position), "the row \(position) is not one of \(count)")
    return PostgreSQLRow(storage: storage, number: position)
  }
}

/// The values of a result in one piece of memory.
struct RowStorage: Sendable {
  let columns: [PostgreSQLColumn]
  private(set) var rowCount = 0
  private(set) var affectedRows = 0
  private var bytes: [UInt8] = []
  /// Where each value ends; the complement (`~end`) for NULL.
  private var ends: [Int] = []

  init(columns: [PostgreSQLColumn]) { self.columns = columns }

  mutating func reserve(values: Int) { ends.reserveCapacity(values) }

  mutating func append(_ value: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: value)
    ends.append(bytes.count)
  }

  mutating func appendNull() { ends.append(~bytes.count) }

  mutating func finish(rowCount: Int, affectedRows: Int) {
    (self.rowCount, self.affectedRows) = (rowCount, affectedRows)
  }

  /// The value as PostgreSQL wrote it; nil for NULL.
  func value(row: Int, column: Int) -> ArraySlice<UInt8>? {
    let index = row * columns.count + column
    let end = ends[index]
    guard end >= 0 else { return nil }
    let start = index == 0 ? 0 : ends[index - 1]
    return bytes[(start < 0 ? ~start : start)..<end]
  }
}

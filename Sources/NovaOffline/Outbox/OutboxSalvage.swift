import NovaCore
import NovaSQLite
import NovaSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The writes in a damaged outbox that can still be read.
enum OutboxSalvage {
  /// An entry as it is stored, by the names of the columns of ``OutboxRow/columns``.
  struct Row {
    let id: Int64
    let values: [ColumnValue]

    /// Nil unless it has what every entry has: whose it is, and the call, with its request as JSON and its key. Values of a
    /// damaged page must not be sent.
    init?(id: Int64, _ values: [ColumnValue]) {
      guard id > 0, values.count == OutboxSalvage.columnCount,
        Self.text(values, 2).flatMap({ Identity(storedText: $0) }) != nil, let rpc = Self.text(values, 3), !rpc.isEmpty,
        let request = Self.text(values, 4), case .object? = try? JSONValue(jsonUTF8: Array(request.utf8)),
        let key = Self.text(values, 5), !key.isEmpty, Self.text(values, 7) != nil
      else { return nil }
      self.id = id
      self.values = values
    }

    private static func text(_ values: [ColumnValue], _ column: Int) -> String? {
      if case .text(let text) = values[column] { text } else { nil }
    }

    /// How often the entry had changed.
    var revision: Int64 { if case .integer(let number) = values[1] { number } else { 0 } }
  }

  static let columnCount = 17

  /// The entries of a database that was moved aside, oldest first, and the real ids that it knew.
  static func read(_ path: String) -> (rows: [Row], ids: [[ColumnValue]]) {
    let file = (try? SystemIO.readFile(path)) ?? nil
    let log = (try? SystemIO.readFile("\(path)-wal")) ?? nil
    guard let file else { return ([], []) }
    let scratch = readBySQLite(file: file, log: log ?? [], beside: path)
    var known: [Int64: Row] = [:]
    for row in scratch.rows { known[row.id] = row }
    if !scratch.isWhole {
      var found: [Int64: Row] = [:]
      for row in DamagedPages(file: file, log: log ?? []).rows(columnCount: columnCount) {
        guard known[row.id] == nil, let row = Row(id: row.id, row.values) else { continue }
        if let other = found[row.id], other.revision >= row.revision { continue }
        found[row.id] = row
      }
      known.merge(found) { known, _ in known }
    }
    return (known.values.sorted { $0.id < $1.id }, scratch.ids)
  }

  /// What SQLite itself can read. On a copy: SQLite would write to the files, and may make them worse.
  private static func readBySQLite(
    file: [UInt8], log: [UInt8], beside path: String
  ) -> (rows: [Row], ids: [[ColumnValue]], isWhole: Bool) {
    let copy = "\(path)-reading"
    // What an earlier salvage has left that was killed.
    for suffix in ["", "-wal"] { AtomicFile.removeUnpublished(for: copy + suffix) }
    defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(copy + suffix) } }
    do {
      try write(file, to: copy)
      if !log.isEmpty { try write(log, to: "\(copy)-wal") }
      let connection = try SQLiteConnection(path: copy, configuration: "PRAGMA query_only=ON")
      defer { connection.close() }
      let (entries, isWhole) = try entries(of: connection)
      var ids: [[ColumnValue]] = []
      // Without them, later writes that name a temporary id cannot be sent; the entries are worth more.
      try? connection.statement("SELECT account, temporary, real, time FROM ids").forEachRow { row in
        ids.append((0..<4).map { row.value($0) })
      }
      return (entries, ids, isWhole)
    } catch {
      return ([], [], false)
    }
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    var file = try AtomicFile(for: path, mode: 0o600)
    try file.write(bytes)
    try file.publish(.replacing, isDurable: false)
  }

  /// One entry after the other: a damaged page must not hide those on later ones.
  private static func entries(of connection: SQLiteConnection) throws -> (rows: [Row], isWhole: Bool) {
    var (rows, last) = ([Row](), Int64.min)
    let next = try connection.statement(
      "SELECT \(OutboxRow.columns) FROM entries NOT INDEXED WHERE id > ? ORDER BY id LIMIT 1")
    while true {
      do {
        let row = try next.bind(last).firstRow { row in (row.int64(0), (0..<columnCount).map { row.value($0) }) }
        guard let (id, values) = row else { return (rows, true) }
        // A damaged page can lead back.
        guard id > last else { return (rows, false) }
        last = id
        if let row = Row(id: id, values) { rows.append(row) }
      } catch {
        // The pages themselves show what comes after the damage.
        return (rows, false)
      }
    }
  }
}

import NovaCore
import NovaSQLite
import NovaSupport

/// The entries of a damaged outbox that can still be read.
///
/// SQLite reads a copy of the file, row by row. If it stops at a damaged page, ``DamagedPages`` finds the rows on the
/// other pages and in the log. A mark in the new database's table of ids shows that a damaged file was taken over.
struct OutboxSalvage {
  /// The damaged file.
  private let path: String
  /// The entries, oldest first.
  private let rows: [Row]
  /// The rows of the table of ids.
  private let ids: [[ColumnValue]]

  /// An entry as it is stored, in the order of ``OutboxRow/columns``.
  private struct Row {
    let id: Int64
    let values: [ColumnValue]

    /// Nil unless the row has what every entry has: an identity, an RPC, a request in JSON, and a key. Other values of
    /// a damaged page must not be sent.
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

  private static let columnCount = 17

  /// Reads a database that was moved aside.
  init(reading path: String) {
    self.path = path
    (rows, ids) = Self.read(path)
  }

  private static func read(_ path: String) -> (rows: [Row], ids: [[ColumnValue]]) {
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

  /// Reads what SQLite itself can read, from a copy: SQLite would write to the damaged files, and could make them worse.
  private static func readBySQLite(
    file: [UInt8], log: [UInt8], beside path: String
  ) -> (rows: [Row], ids: [[ColumnValue]], isWhole: Bool) {
    let copy = "\(path)-reading"
    // A salvage that was killed can have left them.
    for suffix in ["", "-wal"] { AtomicFile.removeUnpublished(for: copy + suffix) }
    defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(copy + suffix) } }
    do {
      try write(file, to: copy)
      if !log.isEmpty { try write(log, to: "\(copy)-wal") }
      let connection = try SQLiteConnection(path: copy, configuration: "PRAGMA query_only=ON")
      defer { connection.close() }
      let (entries, isWhole) = try entries(of: connection)
      var ids: [[ColumnValue]] = []
      // Later writes that name a temporary id need them. Without them, the entries are still worth keeping.
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

  /// Reads one entry after the other, so that a damaged page does not hide those on later pages.
  private static func entries(of connection: SQLiteConnection) throws -> (rows: [Row], isWhole: Bool) {
    var (rows, last) = ([Row](), Int64.min)
    let next = try connection.statement(
      "SELECT \(OutboxRow.columns) FROM entries NOT INDEXED WHERE id > ? ORDER BY id LIMIT 1")
    while true {
      do {
        let row = try next.bind(last).firstRow { row in (row.int64(0), (0..<columnCount).map { row.value($0) }) }
        guard let (id, values) = row else { return (rows, true) }
        // A damaged page can lead back to earlier rows.
        guard id > last else { return (rows, false) }
        last = id
        if let row = Row(id: id, values) { rows.append(row) }
      } catch {
        // The pages are searched for what comes after the damage.
        return (rows, false)
      }
    }
  }

  // MARK: Taking over

  /// Marks the files that were taken over, in the table of ids. No identity has this text.
  private static let mark = "salvaged:"

  /// Whether a damaged file was taken over into a database.
  static func isDone(_ copy: String, in connection: SQLiteConnection) -> Bool {
    let mark = try? connection.statement("SELECT 1 FROM ids WHERE account = ? AND temporary = ?")
      .bind(mark, copy.lastPathPart).firstRow { _ in true }
    return mark ?? nil ?? false
  }

  /// Adds the entries and ids to a database, once. Call within a transaction.
  func insert(into connection: SQLiteConnection) throws {
    guard !Self.isDone(path, in: connection) else { return }
    for row in rows { try insert(row, into: connection) }
    let insertion = try connection.statement(
      "INSERT OR IGNORE INTO ids (account, temporary, real, time) VALUES (?, ?, ?, ?)")
    for id in ids { try insertion.bind(all: id).run() }
    // In the far future, so that it never expires.
    try insertion.bind(Self.mark, path.lastPathPart, "\(rows.count)", 1e15).run()
  }

  private func insert(_ row: Row, into connection: SQLiteConnection) throws {
    let marks = Array(repeating: "?", count: Self.columnCount).joined(separator: ", ")
    let insertion = try connection.statement(
      "INSERT OR IGNORE INTO entries (\(OutboxRow.columns)) VALUES (\(marks))")
    try insertion.bind(all: row.values).bind(row.id, at: 0).run()
    if connection.changedRowCount > 0 { return }
    // Another entry may have the id by now. The same call under the same key is the same write.
    try insertion.bindNull(at: 0).run()
  }
}

// A damaged outbox is moved aside, and never a sound one. The file that it becomes is the only record of the damage: every
// user of the outbox reports that file until someone moves or deletes it.
extension DatabaseFiles {
  /// The report about a copy that was moved aside, for people.
  static func report(of copy: String) -> String {
    "\(origin(of: copy)) was damaged: it was moved to \(copy); the changes that could be read are in the outbox, and "
      + "others are lost; check what waits (nova outbox list --all), then move or delete that file"
  }

  /// Moves the files aside, unless another process has already done so, and opens a new database.
  ///
  /// - Parameters:
  ///   - damaged: the file whose damage was found in use; nil if opening it finds the damage.
  ///   - open: opens the database, and throws if it is damaged.
  func replace<Database>(
    _ damaged: FileID?, unixTime: Double, _ open: () throws -> Database
  ) throws -> Database {
    try repairing {
      do {
        if damaged == nil || FileID(at: path) != damaged { return try open() }
      } catch let error as SQLiteError where error.isDamage {}
      _ = try moveAside(unixTime: Int64(unixTime))
      return try open()
    }
  }
}

import NovaSQLite

/// Keeps the cache within its size: removes first what was not used for the longest time.
///
/// Works in steps of one short transaction each, so that reads can come in between.
struct Eviction {
  /// The size to get below, in bytes.
  let target: Int

  /// The tables of this round that still have old rows to remove.
  private var rest: [Share] = []
  private var removedInRound = 1

  /// The rows of a table that were last used at this time or earlier.
  private struct Share {
    let table: Table
    let time: Int64
    var count: Int
  }

  private enum Table: String, CaseIterable {
    case records, responses, lists, items, numbers

    /// Places in lists, counts, and relations have no time of use. They are removed by age, and only while their table
    /// is the largest.
    var hasTimeOfUse: Bool { self != .items && self != .numbers }
    var time: String { hasTimeOfUse ? "used_at" : "stored_at" }

    var key: String {
      switch self {
      case .records, .responses, .lists: "number"
      case .items: "list, rank"
      case .numbers: "partition, kind, a, b"
      }
    }
  }

  /// The most rows that one step removes.
  private static let step = 2_000

  init(target: Int) { self.target = target }

  /// Removes some rows.
  ///
  /// - Returns: whether there is more to do.
  mutating func step(in database: SQLiteConnection) throws -> Bool {
    guard var share = rest.popLast() else { return try begin(in: database) }
    let removed = try database.transaction { try remove(share, from: database) }
    removedInRound += removed
    share.count -= removed
    if removed == Self.step, share.count > 0 { rest.append(share) }
    return true
  }

  /// Begins a round: it removes an eighth of the largest table, and rows of the same age from the others.
  ///
  /// - Returns: whether a round is needed, and the last one has removed anything.
  private mutating func begin(in database: SQLiteConnection) throws -> Bool {
    guard try database.size().used > target, removedInRound > 0 else { return false }
    removedInRound = 0
    let counts = try Table.allCases.map { table in
      (table, try database.statement("SELECT count(*) FROM \(table.rawValue)").firstRow { $0.int(0) } ?? 0)
    }
    guard let (largest, count) = counts.max(by: { $0.1 < $1.1 }), count > 0 else { return false }
    let share = count / 8 + 1
    let time =
      try database.statement(
        "SELECT \(largest.time) FROM \(largest.rawValue) ORDER BY \(largest.time) LIMIT 1 OFFSET ?"
      ).bind(share - 1).firstRow { $0.int64(0) } ?? 0
    rest = counts.compactMap { table, count in
      guard table == largest || table.hasTimeOfUse else { return nil }
      return Share(table: table, time: time, count: min(share, count))
    }
    return true
  }

  private func remove(_ share: Share, from database: SQLiteConnection) throws -> Int {
    let (name, key, time) = (share.table.rawValue, share.table.key, share.table.time)
    try database.statement(
      "DELETE FROM \(name) WHERE (\(key)) IN (SELECT \(key) FROM \(name) WHERE \(time) <= ? ORDER BY \(time) LIMIT ?)"
    ).bind(share.time, min(Self.step, share.count)).run()
    return database.changedRowCount
  }
}

import NovaCore
import NovaSQLite

// What is taken over from damaged files.
extension OutboxDatabase {
  /// Marks the files that were taken over, in the table of ids: no identity has this text.
  private static let salvaged = "salvaged:"

  /// Whether a damaged file was taken over into this database.
  func hasSalvaged(_ copy: String) -> Bool {
    let mark = try? connection.statement("SELECT 1 FROM ids WHERE account = ? AND temporary = ?")
      .bind(Self.salvaged, copy.lastPathPart).firstRow { _ in true }
    return mark ?? nil ?? false
  }

  /// Adds the entries that can be read in a damaged file, in their order and under their keys, once.
  func salvage(_ copy: String) throws {
    let (rows, ids) = OutboxSalvage.read(copy)
    try change {
      guard !hasSalvaged(copy) else { return }
      for row in rows { try insert(row) }
      let insertion = try connection.statement(
        "INSERT OR IGNORE INTO ids (account, temporary, real, time) VALUES (?, ?, ?, ?)")
      for id in ids {
        for (index, value) in id.enumerated() { insertion.bind(value, at: index) }
        try insertion.run()
      }
      // In the far future, so that it never expires.
      try insertion.bind(Self.salvaged, copy.lastPathPart, "\(rows.count)", 1e15).run()
    }
    try reload()
  }

  private func insert(_ row: OutboxSalvage.Row) throws {
    let marks = Array(repeating: "?", count: OutboxSalvage.columnCount).joined(separator: ", ")
    let insertion = try connection.statement(
      "INSERT OR IGNORE INTO entries (\(OutboxRow.columns)) VALUES (\(marks))")
    for (index, value) in row.values.enumerated() { insertion.bind(value, at: index) }
    try insertion.bind(row.id, at: 0).run()
    if connection.changedRowCount > 0 { return }
    // Another entry may have the id by now. The same call under the same key is the same write.
    try insertion.bindNull(at: 0).run()
  }
}

import NovaSQLite

/// Keeps the cache within its size: what was not used for the longest time goes first.
struct Eviction {
  let database: SQLiteConnection
  /// The size to get below, in bytes.
  let target: Int

  /// How many records, responses, and lists go in one transaction, so that nobody waits for long.
  private static let batch = 2_000

  /// Removes until the rest fits, and gives the space back to the file system.
  func run() throws {
    while try database.size().used > target, try removeOldest() {}
    try database.shrink()
  }

  /// - Returns: whether there was anything.
  private func removeOldest() throws -> Bool {
    try database.transaction {
      var count = 0
      for (table, key) in [("records", "number"), ("responses", "number"), ("lists", "number")] {
        try database.statement(
          "DELETE FROM \(table) WHERE \(key) IN (SELECT \(key) FROM \(table) ORDER BY used_at LIMIT ?)"
        ).bind(share(of: table)).run()
        count += database.changedRowCount
      }
      // Counts and relations are small and have no time of use: those go that are older than the records that are left.
      try database.statement(
        "DELETE FROM numbers WHERE stored_at < (SELECT coalesce(min(used_at), 0) FROM records)"
      ).run()
      return count + database.changedRowCount > 0
    }
  }

  /// Tables lose in proportion to their size, so that the ages of what is left stay alike.
  private func share(of table: String) throws -> Int {
    let count = try database.statement("SELECT count(*) FROM \(table)").firstRow { $0.int(0) } ?? 0
    return max(1, min(Self.batch, count / 8))
  }
}

extension SQLiteConnection {
  /// The program's own version number of the schema; 0 in a new database.
  package func userVersion() throws(SQLiteError) -> Int { try integer("PRAGMA user_version") }

  /// - Parameter version: within the range of `Int32`.
  package func setUserVersion(_ version: Int) throws(SQLiteError) {
    guard let version = Int32(exactly: version) else {
      throw .misuse("user_version must fit in 32 bits, got \(version); use a smaller one", path: path)
    }
    try execute("PRAGMA user_version=\(version)")
  }

  /// Brings the schema to a version, completely or not at all. Does not write if it has that version already, because
  /// a full disk must not prevent reads.
  ///
  /// - Parameter upgrade: changes the schema; called in a transaction with the version that was found.
  package func upgradeSchema(to version: Int, _ upgrade: (_ found: Int) throws -> Void) throws {
    if try userVersion() == version { return }
    try transaction {
      // Another process may have done the same in between.
      let found = try userVersion()
      if found == version { return }
      try upgrade(found)
      try setUserVersion(version)
    }
  }

  /// A number that changes when another connection writes, but not when this one does.
  package func dataVersion() throws(SQLiteError) -> Int { try integer("PRAGMA data_version") }

  /// The size of the database in bytes, without its log: the pages in use, and the whole file.
  package func size() throws(SQLiteError) -> (used: Int, file: Int) {
    let page = try integer("PRAGMA page_size")
    let count = try integer("PRAGMA page_count")
    let free = try integer("PRAGMA freelist_count")
    return (used: (count - free) * page, file: count * page)
  }

  /// Returns unused pages to the file system, and empties the log. Not allowed in a transaction.
  ///
  /// Waits for connections that read or write, up to the busy timeout; keeps what they still need.
  package func shrink() throws(SQLiteError) {
    try execute("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func integer(_ sql: String) throws(SQLiteError) -> Int {
    let statement = try statement(sql)
    return try statement.step() ? statement.int(0) : 0
  }
}

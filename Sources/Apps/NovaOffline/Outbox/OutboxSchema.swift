import NovaSQLite

/// The tables of `outbox.db`, and the steps from older tables to these.
enum OutboxSchema {
  /// One step from each version to the next; the first creates the tables. A released step never changes.
  private static let steps: [String] = [
    """
    CREATE TABLE entries (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      revision INTEGER NOT NULL DEFAULT 0,
      account TEXT NOT NULL,
      rpc TEXT NOT NULL,
      request TEXT NOT NULL,
      key TEXT NOT NULL,
      new_id TEXT,
      entities TEXT NOT NULL,
      would_change INTEGER,
      created_at REAL NOT NULL,
      first_attempt_at REAL,
      last_attempt_at REAL,
      next_attempt_at REAL,
      attempts INTEGER NOT NULL DEFAULT 0,
      is_dead INTEGER NOT NULL DEFAULT 0,
      failure_code TEXT,
      failure_message TEXT,
      UNIQUE (account, rpc, key)
    );
    CREATE TABLE ids (
      account TEXT NOT NULL,
      temporary TEXT NOT NULL,
      real TEXT NOT NULL,
      time REAL NOT NULL,
      PRIMARY KEY (account, temporary)
    ) WITHOUT ROWID
    """
  ]

  /// The version that this code reads and writes.
  static var version: Int { steps.count }

  /// Brings a database to this version, completely or not at all.
  ///
  /// - Throws: ``OutboxProblem/newerVersion(_:)`` for a database of a later version, which stays as it is;
  ///   `SQLiteError`.
  static func prepare(_ database: SQLiteConnection) throws {
    if try database.userVersion() == version { return }
    try database.transaction {
      let found = try database.userVersion()
      guard found <= version else { throw OutboxProblem.newerVersion(database.path) }
      guard found >= 0 else { throw SQLiteError(.corrupt, "its version is negative", path: database.path) }
      for step in steps[found...] { try database.execute(step) }
      try database.setUserVersion(version)
    }
  }

  /// Checks that all columns can be named. A damaged page of the schema can leave sound pages with other tables.
  ///
  /// - Throws: `SQLiteError`.
  static func checkTables(_ database: SQLiteConnection) throws {
    do {
      _ = try database.statement("SELECT \(OutboxRow.columns) FROM entries LIMIT 0").firstRow { _ in }
      _ = try database.statement("SELECT account, temporary, real, time FROM ids LIMIT 0").firstRow { _ in }
    } catch let error as SQLiteError where error.kind == .other {
      throw SQLiteError(.corrupt, "its tables are damaged: \(error.message)", path: database.path)
    }
  }
}

/// Why an outbox cannot be used, apart from the errors of SQLite.
enum OutboxProblem: Error, Hashable, CustomStringConvertible {
  /// The file has tables of a later version.
  case newerVersion(String)

  var description: String {
    switch self {
    case .newerVersion(let path):
      "cannot use \(path): a newer version of NovaSDK has written it; update this program, or use another directory"
    }
  }
}

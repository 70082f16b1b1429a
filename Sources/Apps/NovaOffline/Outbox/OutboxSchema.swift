import NovaCore
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
  /// - Throws: `SQLiteError`, also for a database of a later version, which stays as it is.
  static func prepare(_ database: SQLiteConnection) throws {
    try database.upgradeSchema(to: version) { found in
      guard found <= version else {
        throw SQLiteError(
          .other, "a newer version of NovaSDK has written it; update this program, or use another directory",
          path: database.path)
      }
      guard found >= 0 else { throw SQLiteError(.corrupt, "its version is negative", path: database.path) }
      for step in steps[found...] { try database.execute(step) }
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

/// Entries as rows of `outbox.db`.
enum OutboxRow {
  /// The columns that ``entry(_:_:)`` reads.
  static let columns = """
    id, revision, account, rpc, request, key, new_id, entities, would_change, created_at, first_attempt_at, \
    last_attempt_at, next_attempt_at, attempts, is_dead, failure_code, failure_message
    """

  /// The entry in a row; nil if this version of the SDK does not have the RPC, or cannot read its request.
  static func entry(_ row: SQLiteStatement, _ rule: (String) -> WriteRule?) -> OutboxEntry? {
    var stored = StoredEntry(
      id: row.int64(0), identity: row.text(2), rpc: row.text(3), request: row.bytes(4), key: row.text(5),
      createdAt: row.double(9))
    stored.revision = row.int64(1)
    stored.newID = row.isNull(6) ? nil : row.text(6)
    stored.entities = texts(row.text(7))
    stored.wouldChange = row.isNull(8) ? nil : row.bool(8)
    stored.firstAttemptAt = row.optionalDouble(10)
    stored.lastAttemptAt = row.optionalDouble(11)
    stored.nextAttemptAt = row.optionalDouble(12)
    stored.attempts = row.int(13)
    stored.isDead = row.bool(14)
    stored.failure = row.isNull(15) ? nil : (row.text(15), row.text(16))
    return stored.entry(rule)
  }

  /// A request as it is stored.
  ///
  /// - Throws: `APIError` for a value that the contract's type cannot hold.
  static func text(_ request: any ProtoMessage) throws -> String { try StoredEntry.text(request) }

  static func text(_ texts: [String]) -> String {
    String(decoding: JSONValue.array(texts.map { .string($0) }).jsonUTF8, as: UTF8.self)
  }

  private static func texts(_ json: String) -> [String] {
    (try? JSONValue(jsonUTF8: Array(json.utf8)))?.elements?.compactMap(\.stringValue) ?? []
  }
}

extension SQLiteStatement {
  fileprivate func optionalDouble(_ column: Int) -> Double? { isNull(column) ? nil : double(column) }
}

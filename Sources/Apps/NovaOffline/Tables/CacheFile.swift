import NovaCore
import NovaSQLite

/// Opens `cache.db`, and has its tables. The gateway has all that is in it, so a file that cannot be used is recreated.
enum CacheFile {
  /// Why a cache was recreated.
  enum Repair: Hashable, Sendable {
    /// The file was damaged or of another kind.
    case damaged
    /// The file was written by an older version.
    case older
  }

  /// Opens or creates the file.
  ///
  /// - Parameter isSuspect: whether damage was found in the file, so that all of it is checked first.
  /// - Throws: `SQLiteError`, also for a file of a newer version, because its program may be using it.
  static func open(
    _ path: String, isSuspect: Bool = false
  ) throws -> (database: SQLiteConnection, repair: Repair?) {
    do {
      if !isSuspect { return try prepared(path) }
    } catch let error as SQLiteError where error.isDamage {}
    // If several processes find the damage, the first one recreates the file, and the others use the new one. Processes
    // that still have the old file open continue with it, and do not touch the new one.
    return try DatabaseFiles(path).repairing {
      if let sound = try sound(path) { return sound }
      DatabaseFiles(path).remove()
      return (try prepared(path).database, .damaged)
    }
  }

  /// Removes the file.
  ///
  /// - Returns: whether it is gone.
  static func remove(_ path: String) -> Bool {
    let files = DatabaseFiles(path)
    // A full disk may have no space for the lock.
    return (try? files.repairing { files.remove() }) ?? files.remove()
  }

  /// - Throws: `SQLiteError` if a newer program has changed the tables.
  static func checkVersion(of database: SQLiteConnection) throws {
    guard try database.userVersion() != version else { return }
    throw newer(try database.userVersion(), database.path)
  }

  private static func newer(_ version: Int, _ path: String) -> SQLiteError {
    SQLiteError(
      .cannotOpen, "it has version \(version), this program knows \(version); update the program",
      path: path)
  }

  /// Opens the file if all of it can be read.
  private static func sound(_ path: String) throws -> (database: SQLiteConnection, repair: Repair?)? {
    do {
      let (database, repair) = try prepared(path)
      let result = try database.statement("PRAGMA quick_check(1)").firstRow { $0.text(0) }
      if result == "ok" { return (database, repair) }
      database.close()
    } catch let error as SQLiteError where error.isDamage {}
    return nil
  }

  private static func prepared(_ path: String) throws -> (database: SQLiteConnection, repair: Repair?) {
    let database = try SQLiteConnection(opening: path)
    // Ids are in no order, so each page of a list changes pages all over the indexes. With a log of 32 MiB instead of
    // 4, most of them are copied into the file once instead of often.
    try database.execute("PRAGMA wal_autocheckpoint=8192; PRAGMA cache_size=-16384")
    var repair: Repair?
    try database.upgradeSchema(to: version) { found in
      guard found < version else { throw newer(found, path) }
      for table in tables.reversed() { try database.execute("DROP TABLE IF EXISTS \(table)") }
      try database.execute(statements)
      repair = found == 0 ? nil : .older
    }
    return (database, repair)
  }

  // MARK: The tables

  /// The version of the tables. Raised with each change: an older cache is recreated, because the gateway still has all
  /// of it.
  static let version = 1

  static let tables = ["partitions", "records", "numbers", "lists", "items", "responses"]

  /// Bodies are not in the index of their keys: rows are appended, and only the small index is written in scattered
  /// places. With the bodies in the index, rows with scattered keys take ten times as long to store.
  private static let statements = """
    CREATE TABLE partitions (
      id INTEGER PRIMARY KEY, gateway TEXT NOT NULL, account TEXT NOT NULL,
      writes INTEGER NOT NULL DEFAULT 0, -- how many writes were confirmed
      UNIQUE (gateway, account));

    -- Messages with an identity. Without a body, the record is gone.
    CREATE TABLE records (
      number INTEGER PRIMARY KEY, partition INTEGER NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
      body BLOB, is_whole INTEGER NOT NULL, sequence INTEGER NOT NULL, stored_at INTEGER NOT NULL, used_at INTEGER NOT NULL);
    CREATE UNIQUE INDEX records_key ON records (partition, kind, id);
    CREATE INDEX records_used ON records (used_at);

    -- Counts for the key `a`, and relations of `a` to `b` (0 or 1).
    CREATE TABLE numbers (
      partition INTEGER NOT NULL, kind TEXT NOT NULL, a TEXT NOT NULL, b TEXT NOT NULL,
      value INTEGER NOT NULL, sequence INTEGER NOT NULL, stored_at INTEGER NOT NULL,
      PRIMARY KEY (partition, kind, a, b)) WITHOUT ROWID;

    -- An item's place in its list is its rank minus `first_rank`, so that an insertion at the front moves no other item.
    -- Without a length, the end of the list is not known.
    CREATE TABLE lists (
      number INTEGER PRIMARY KEY, partition INTEGER NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL,
      first_rank INTEGER NOT NULL DEFAULT 0, length INTEGER, sequence INTEGER NOT NULL DEFAULT 0, stored_at INTEGER NOT NULL,
      used_at INTEGER NOT NULL);
    CREATE UNIQUE INDEX lists_key ON lists (partition, kind, key);
    CREATE INDEX lists_used ON lists (used_at);
    CREATE TABLE items (
      list INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE, rank INTEGER NOT NULL, id TEXT NOT NULL,
      stored_at INTEGER NOT NULL, PRIMARY KEY (list, rank)) WITHOUT ROWID;
    CREATE UNIQUE INDEX items_id ON items (list, id);

    -- Answers that cannot be composed of facts.
    CREATE TABLE responses (
      number INTEGER PRIMARY KEY, partition INTEGER NOT NULL, rpc TEXT NOT NULL, request TEXT NOT NULL,
      body BLOB NOT NULL, sequence INTEGER NOT NULL, stored_at INTEGER NOT NULL, used_at INTEGER NOT NULL);
    CREATE UNIQUE INDEX responses_key ON responses (partition, rpc, request);
    CREATE INDEX responses_used ON responses (used_at);
    """
}

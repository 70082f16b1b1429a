import NovaCore
import NovaSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Opens `cache.db`. All of it can be read again from the gateway, so that a file that cannot be used is recreated.
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
  /// - Parameter isSuspect: whether damage was found in it, so that all of it is checked first.
  /// - Throws: `SQLiteError`; for a file of a newer version, too, because its program may be using it.
  static func open(
    _ path: String, isSuspect: Bool = false
  ) throws -> (database: SQLiteConnection, repair: Repair?) {
    do {
      if !isSuspect { return try prepared(path) }
    } catch let error as SQLiteError where error.kind == .corrupt || error.kind == .notADatabase {}
    // Of several processes that find the damage, the first recreates the file, and the others use the new one. Those
    // that still have the old one open continue with it, and do not touch the files of the new one.
    let lock = try FileLock(waitingFor: "\(path)-repair")
    defer { lock.unlock() }
    if let sound = try sound(path) { return sound }
    unlinkAll(path)
    return (try prepared(path).database, .damaged)
  }

  /// Removes the file.
  ///
  /// - Returns: whether it is gone.
  static func remove(_ path: String) -> Bool {
    // On a full disk, there may be no place for the lock.
    let lock = try? FileLock(waitingFor: "\(path)-repair")
    defer { lock?.unlock() }
    return unlinkAll(path)
  }

  @discardableResult private static func unlinkAll(_ path: String) -> Bool {
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    return unlink(path) == 0 || errno == ENOENT
  }

  /// - Throws: `SQLiteError` if a newer program has changed the tables.
  static func checkVersion(of database: SQLiteConnection) throws {
    guard try database.userVersion() != CacheSchema.version else { return }
    throw newer(try database.userVersion(), database.path)
  }

  private static func newer(_ version: Int, _ path: String) -> SQLiteError {
    SQLiteError(
      .cannotOpen, "it has version \(version), this program knows \(CacheSchema.version); update the program",
      path: path)
  }

  /// The file, if all of it can be read.
  private static func sound(_ path: String) throws -> (database: SQLiteConnection, repair: Repair?)? {
    do {
      let (database, repair) = try prepared(path)
      let result = try database.statement("PRAGMA quick_check(1)").firstRow { $0.text(0) }
      if result == "ok" { return (database, repair) }
      database.close()
    } catch let error as SQLiteError where error.kind == .corrupt || error.kind == .notADatabase {}
    return nil
  }

  private static func prepared(_ path: String) throws -> (database: SQLiteConnection, repair: Repair?) {
    let database = try SQLiteConnection(opening: path)
    // Ids are in no order, so that each page of a list changes pages all over the indexes: moved into the file after 32 MiB
    // instead of 4, most of them are moved once instead of often.
    try database.execute("PRAGMA wal_autocheckpoint=8192; PRAGMA cache_size=-16384")
    // Without a transaction, which needs to write: a full disk must not prevent reads.
    if try database.userVersion() == CacheSchema.version { return (database, nil) }
    // Another process may do the same at the same time.
    let repair: Repair? = try database.transaction {
      let version = try database.userVersion()
      guard version != CacheSchema.version else { return nil }
      guard version < CacheSchema.version else { throw newer(version, path) }
      for table in CacheSchema.tables.reversed() { try database.execute("DROP TABLE IF EXISTS \(table)") }
      try database.execute(CacheSchema.statements)
      try database.setUserVersion(CacheSchema.version)
      return version == 0 ? nil : .older
    }
    return (database, repair)
  }
}

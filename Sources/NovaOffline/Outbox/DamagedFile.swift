import NovaSQLite
import NovaSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Moves a damaged database out of the way, and never a sound one.
enum DamagedFile {
  /// Moves the file and its log, and opens a new one, unless another process has done so meanwhile.
  ///
  /// - Parameter open: opens the database, and throws if it is damaged.
  /// - Returns: the database, and where the damaged one is now; nil if another process has moved it.
  static func replace<Database>(
    _ path: String, unixTime: Double, _ open: () throws -> Database
  ) throws -> (Database, copy: String?) {
    let lock = try FileLock(waitingFor: "\(path)-repair")
    defer { lock.unlock() }
    do {
      return (try open(), nil)
    } catch let error as SQLiteError where error.kind == .corrupt || error.kind == .notADatabase {
      var copy = "\(path).corrupt-\(Int64(unixTime))"
      while SystemIO.exists(copy) { copy += "-2" }
      // The log first: with it, the new database would be damaged as well.
      for suffix in ["-wal", "-shm", ""] where SystemIO.exists(path + suffix) {
        guard rename(path + suffix, copy + suffix) == 0 else {
          throw SQLiteError(
            .cannotOpen, "it is damaged, and cannot be moved away (\(SystemError.last.reason))", path: path)
        }
      }
      return (try open(), copy)
    }
  }
}

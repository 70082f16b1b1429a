import NovaCore
import NovaSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The files of a tracker.
struct TrackingDirectory: Sendable {
  let path: String

  var database: String { "\(path)/analytics.db" }
  var lock: String { "\(path)/analytics.lock" }
  /// Exists if the user opted out. A file of its own, so that the choice outlives a database that is damaged.
  private var marker: String { "\(path)/analytics.off" }

  /// Whether there is a database.
  ///
  /// - Throws: why that cannot be found out, such as for a directory that may not be read.
  var hasDatabase: Bool {
    get throws(SystemError) {
      if SystemIO.exists(database) { return true }
      let problem = SystemError.last
      if problem.code == ENOENT { return false }
      throw problem
    }
  }

  /// Creates the directory with those above it, for this user only.
  func create() throws(SystemError) { try PrivateDirectory.create(path) }

  // MARK: Opting out

  var isOptedOut: Bool { SystemIO.exists(marker) }

  func setOptedOut(_ isOptedOut: Bool) throws(SystemError) {
    guard isOptedOut else {
      guard unlink(marker) == 0 || errno == ENOENT else { throw .last }
      return
    }
    try create()
    let descriptor = open(marker, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw .last }
    close(descriptor)
    try SystemIO.synchronizeDirectory(path)
  }

  // MARK: Damaged databases

  /// Moves the database aside. Only one such copy is kept.
  ///
  /// - Returns: its path.
  func moveDatabaseAside(unixTime: Int64) throws(SQLiteError) -> String {
    removeDamagedCopies()
    return try DatabaseFiles(database).moveAside(unixTime: unixTime)
  }

  /// Removes what was moved aside: it holds events.
  func removeDamagedCopies() {
    for copy in DatabaseFiles(database).copies { DatabaseFiles(copy).remove() }
  }
}

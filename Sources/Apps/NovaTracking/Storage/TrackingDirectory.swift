import NovaCore
import NovaLibc
import NovaSQLite

/// The files of a tracker.
struct TrackingDirectory: Sendable {
  let path: String

  var database: String { "\(path)/analytics.db" }
  var lock: String { "\(path)/analytics.lock" }
  /// Exists if the user opted out. A separate file, so that the choice survives a damaged database.
  private var marker: String { "\(path)/analytics.off" }

  /// Whether the database exists.
  ///
  /// - Throws: why that cannot be determined, for example because the directory is not readable.
  var hasDatabase: Bool {
    get throws(SystemError) {
      if SystemIO.exists(database) { return true }
      let problem = SystemError.last
      if problem.code == ENOENT { return false }
      throw problem
    }
  }

  /// Creates the directory and its parents, accessible only to this user.
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

  /// Moves the database aside, and deletes earlier copies.
  ///
  /// - Returns: the path of the copy.
  func moveDatabaseAside(unixTime: Int64) throws(SQLiteError) -> String {
    removeDamagedCopies()
    return try DatabaseFiles(database).moveAside(unixTime: unixTime)
  }

  /// Removes the databases that were moved aside, because they contain events.
  func removeDamagedCopies() {
    for copy in DatabaseFiles(database).copies { DatabaseFiles(copy).remove() }
  }
}

import NovaLibc
import NovaSupport

/// Creates or checks the private files of a database before SQLite opens them.
enum SQLiteFile {
  /// Locked while a file is created, and while one is opened. Closing a descriptor of a file releases all locks that
  /// SQLite has on that file in this process, so no database may be opened at that time. Counts the files.
  private static let openedCount = Locked(0)

  /// Creates the file with mode 0600, or makes the existing file and its companions private; then opens it.
  ///
  /// - Throws: ``SQLiteError`` unless it is a regular file of this user.
  static func openPrivately(_ path: String) throws(SQLiteError) -> OpenDatabase {
    try openedCount.withLock { count throws(SQLiteError) in
      let exists = try makePrivate(path)
      // SQLite uses existing companions, even next to a new database, and creates them with the database's mode.
      for companion in ["\(path)-journal", "\(path)-wal", "\(path)-shm"] { _ = try makePrivate(companion) }
      if !exists { try create(path) }
      count += 1
      return try OpenDatabase(path)
    }
  }

  private static func create(_ path: String) throws(SQLiteError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw SQLiteError(.last, path: path)
    } else if try makePrivate(path) == false {
      // Another process created the file and removed it again.
      throw SQLiteError(SystemError(code: ENOENT), path: path)
    }
  }

  /// Removes the permissions of others. Does not open the file, see above.
  ///
  /// - Returns: false if the file does not exist.
  private static func makePrivate(_ path: String) throws(SQLiteError) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return false }
      throw SQLiteError(.last, path: path)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw SQLiteError(.cannotOpen, "it is a directory", path: path)
    case S_IFLNK: throw SQLiteError(.cannotOpen, "it is a symbolic link", path: path)
    default: throw SQLiteError(.cannotOpen, "it is not a regular file", path: path)
    }
    guard status.st_uid == geteuid() else {
      throw SQLiteError(.cannotOpen, "it belongs to another user", path: path)
    }
    if status.st_mode & 0o077 != 0, chmod(path, status.st_mode & 0o700) != 0 {
      throw SQLiteError(.last, path: path)
    }
    return true
  }
}

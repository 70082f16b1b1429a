internal import NovaLibc

/// Directories in which only one user can add, replace, or remove files.
package enum PrivateDirectory {
  /// Creates a directory and its parents, for this user only. If the directory exists, it must already be private.
  ///
  /// - Parameter isDurable: whether new directories survive a failure of the machine.
  package static func create(_ path: String, isDurable: Bool = false) throws(SystemError) {
    var parent = path.hasPrefix("/") ? "" : "."
    for name in path.parts(between: "/", keepsEmpty: false) {
      let directory = "\(parent)/\(name)"
      if mkdir(directory, 0o700) == 0 {
        if isDurable { try SystemIO.synchronizeDirectory(parent.isEmpty ? "/" : parent) }
      } else if errno != EEXIST {
        // Some systems report another error for a directory that exists.
        let problem = SystemError.last
        if !SystemIO.exists(directory) { throw problem }
      }
      parent = directory
    }
    try require(path)
  }

  /// Throws if the directory belongs to another user. Removes the write permission of other users; a group with the
  /// user's own number has no other members.
  package static func require(_ path: String) throws(SystemError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .last }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError(code: ENOTDIR) }
    let isOpen = status.st_mode & 0o002 != 0 || status.st_mode & 0o020 != 0 && status.st_gid != status.st_uid
    // Directories of root belong to the system, and the sticky bit keeps users from replacing each other's files.
    let isTrusted = status.st_uid == 0 && (!isOpen || status.st_mode & S_ISVTX != 0)
    guard status.st_uid == geteuid() || isTrusted else { throw .foreignFile }
    if isOpen, status.st_uid == geteuid(), status.st_mode & S_ISVTX == 0,
      chmod(path, status.st_mode & 0o7755) != 0
    {
      throw .last
    }
  }
}

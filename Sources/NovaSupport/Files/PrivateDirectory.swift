#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Directories for the files of one user, in which nobody else can add, replace or remove any.
package enum PrivateDirectory {
  /// Creates a directory with those above it, for this user only; an existing one must be private as well.
  ///
  /// - Parameter isDurable: whether new directories survive a failure of the machine.
  package static func create(_ path: String, isDurable: Bool = false) throws(SystemError) {
    var parent = path.hasPrefix("/") ? "" : "."
    for name in path.parts(between: "/", keepsEmpty: false) {
      let directory = "\(parent)/\(name)"
      if mkdir(directory, 0o700) == 0 {
        if isDurable { try SystemIO.synchronizeDirectory(parent.isEmpty ? "/" : parent) }
      } else if errno != EEXIST {
        // Some systems report another problem of a directory that is there.
        let problem = SystemError.last
        if !SystemIO.exists(directory) { throw problem }
      }
      parent = directory
    }
    try require(path)
  }

  /// Throws if the directory belongs to another user. Takes the write permission of others away, where a group of the
  /// user's own, which has the user's number, is nobody else.
  package static func require(_ path: String) throws(SystemError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .last }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError(code: ENOTDIR) }
    let isOpen = status.st_mode & 0o002 != 0 || status.st_mode & 0o020 != 0 && status.st_gid != status.st_uid
    // Root's are the system's; the sticky bit keeps the files of users apart.
    let isTrusted = status.st_uid == 0 && (!isOpen || status.st_mode & S_ISVTX != 0)
    guard status.st_uid == geteuid() || isTrusted else { throw .foreignFile }
    if isOpen, status.st_uid == geteuid(), status.st_mode & S_ISVTX == 0,
      chmod(path, status.st_mode & 0o7755) != 0
    {
      throw .last
    }
  }
}

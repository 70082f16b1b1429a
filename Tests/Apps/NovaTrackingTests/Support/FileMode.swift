import NovaLibc

enum FileMode {
  /// The permissions of a file or directory; nil if it does not exist.
  static func of(_ path: String) -> UInt32? {
    var status = stat()
    return lstat(path, &status) == 0 ? UInt32(status.st_mode & 0o777) : nil
  }

  static func remove(_ path: String) { unlink(path) }
}

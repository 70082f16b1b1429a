import NovaCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension PrivateFiles {
  /// The directory part of a path.
  static func directory(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Creates the directory of a file, accessible only to this user (0700). Throws if other users can write to it.
  func makeDirectory(of path: String) throws(SessionStoreError) {
    try prepare(.directory, path)
    let directory = Self.directory(of: path)
    if try !TrustedDirectory.check(directory) {
      try Self.make(directory)
      guard try TrustedDirectory.check(directory) else { throw .system(directory, ENOENT, "make") }
    }
    var status = stat()
    guard stat(directory, &status) == 0 else { throw .system(directory, errno, "read") }
    guard status.st_uid == geteuid() else {
      throw SessionStoreError(
        .notOwned, directory,
        "it belongs to user \(status.st_uid), not to \(geteuid()); choose a directory of your own")
    }
  }

  private static func make(_ directory: String) throws(SessionStoreError) {
    if mkdir(directory, 0o700) == 0 || errno == EEXIST { return }
    let code = errno
    let parent = Self.directory(of: directory)
    guard code == ENOENT, parent != directory, parent != "." else { throw .system(directory, code, "make") }
    try make(parent)
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw .system(directory, errno, "make") }
  }

  /// Makes a new name survive a crash of the machine.
  func syncDirectory(of path: String) throws(SessionStoreError) {
    try prepare(.syncDirectory, path)
    let directory = Self.directory(of: path)
    do throws(SystemError) { try SystemIO.synchronizeDirectory(directory) } catch {
      throw .system(directory, error.code, "write")
    }
  }

  /// Removes temporary files of processes that were killed while writing. Newer ones may be in use.
  func removeLeftovers(of path: String) {
    let directory = Self.directory(of: path)
    let file = path.split(separator: "/").last ?? ""
    let prefix = Array("\(file).tmp-".utf8)
    guard let entries = opendir(directory) else { return }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard name.starts(with: prefix) else { continue }
      let leftover = "\(directory)/\(String(decoding: name, as: UTF8.self))"
      var status = stat()
      if lstat(leftover, &status) == 0, status.st_mode & S_IFMT == S_IFREG, time(nil) - status.modified > 3600 {
        unlink(leftover)
      }
    }
  }
}

extension stat {
  /// The modification time in Unix seconds.
  fileprivate var modified: Int {
    #if canImport(Darwin)
      Int(st_mtimespec.tv_sec)
    #else
      Int(st_mtim.tv_sec)
    #endif
  }
}

extension SessionStoreError {
  /// Creates an error for a system error, with advice.
  static func system(_ path: String, _ code: Int32, _ verb: String) -> SessionStoreError {
    let kind: Kind
    var advice = ""
    switch code {
    case ENOSPC, EDQUOT, EFBIG:
      (kind, advice) = (.diskFull, "; free some space and try again: the previous content is unchanged")
    case EACCES, EPERM: (kind, advice) = (.notPermitted, "; change its permissions, or choose another path")
    case EROFS: (kind, advice) = (.notPermitted, "; choose a writable path")
    case ELOOP, EMLINK: (kind, advice) = (.symbolicLink, "; links are not followed: use the path of the target")
    case ENOTDIR, EISDIR, ENXIO: (kind, advice) = (.wrongType, "; choose another path for the session")
    case EEXIST: (kind, advice) = (.wrongType, "; remove it, or choose another path")
    default: kind = .system
    }
    return SessionStoreError(kind, path, "cannot \(verb) it: \(SystemError(code: code).reason)\(advice)")
  }
}

import NovaCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension PrivateFiles {
  /// The directory of a path, as it is written there.
  static func directory(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Makes the directory of a file for nobody else (0700), and refuses one in which others could put files.
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
        "it belongs to user \(status.st_uid), not to \(geteuid()). Choose a directory of your own.")
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

  /// Makes sure that a new name outlives a crash of the machine.
  func syncDirectory(of path: String) throws(SessionStoreError) {
    try prepare(.syncDirectory, path)
    let directory = Self.directory(of: path)
    do throws(SystemError) { try SystemIO.synchronizeDirectory(directory) } catch {
      throw .system(directory, error.code, "write")
    }
  }

  /// Removes what processes left that were killed while they wrote. Younger files may be somebody's work.
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
  /// When the content was changed, in Unix seconds.
  fileprivate var modified: Int {
    #if canImport(Darwin)
      Int(st_mtimespec.tv_sec)
    #else
      Int(st_mtim.tv_sec)
    #endif
  }
}

extension SessionStoreError {
  /// What the system said, and what to do about it.
  static func system(_ path: String, _ code: Int32, _ verb: String) -> SessionStoreError {
    let kind: Kind
    var advice = ""
    switch code {
    case ENOSPC, EDQUOT, EFBIG:
      (kind, advice) = (.diskFull, " Free some space and try again; the previous content is unchanged.")
    case EACCES, EPERM: (kind, advice) = (.notPermitted, " Change its permissions, or choose another path.")
    case EROFS: (kind, advice) = (.notPermitted, " Choose a path that can be written.")
    case ELOOP, EMLINK: (kind, advice) = (.symbolicLink, " Links are not followed: give the path that it leads to.")
    case ENOTDIR, EISDIR, ENXIO: (kind, advice) = (.wrongType, " Choose another path for the session.")
    case EEXIST: (kind, advice) = (.wrongType, " Remove it, or choose another path.")
    default: kind = .system
    }
    return SessionStoreError(kind, path, "could not \(verb) it: \(SystemError(code: code).reason).\(advice)")
  }
}

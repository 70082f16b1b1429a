import NovaCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension System {
  /// Replaces a file atomically. Anything but a regular file (`/dev/null`, a pipe) is written to.
  static func replaceFile(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw SystemError.last }
      defer { close(descriptor) }
      try SystemIO.write(bytes, to: descriptor)
      return try SystemIO.synchronize(descriptor)
    }
    var file = try AtomicFile(for: path)
    try file.write(bytes)
    try file.publish()
  }

  // MARK: Directories

  /// The path of a file with the symbolic links of its directory resolved, so that each file has one path.
  static func canonicalPath(_ file: String) throws(SystemError) -> String {
    let slash = file.lastIndex(of: "/")
    let directory = slash.map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
    guard let resolved = realpath(directory, nil) else { throw SystemError.last }
    defer { free(resolved) }
    let parent = String(cString: resolved)
    return "\(parent == "/" ? "" : parent)/\(slash.map { String(file[file.index(after: $0)...]) } ?? file)"
  }
}

/// The directory for a user's own files: `$XDG_CONFIG_HOME/nova`, or else `~/.config/nova`.
enum UserDirectory {
  /// The directory's path; it need not exist.
  ///
  /// - Parameter what: the purpose of the directory, for the error message.
  /// - Throws: ``Failure`` when neither variable is set.
  static func path(for what: String, hint: String? = nil) throws -> String {
    if let directory = System.variable("XDG_CONFIG_HOME") { return "\(directory)/nova" }
    if let home = System.variable("HOME") { return "\(home)/.config/nova" }
    throw Failure("neither HOME nor XDG_CONFIG_HOME is set, so there is no place for \(what)", hint: hint, .failed)
  }
}

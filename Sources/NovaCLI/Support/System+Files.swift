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
  ///
  /// - Parameter mode: the permissions of a new file, before the process's umask is applied.
  static func replaceFile(_ path: String, with bytes: [UInt8], mode: UInt32 = 0o666) throws(SystemError) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw SystemError.last }
      defer { close(descriptor) }
      try SystemIO.write(bytes, to: descriptor)
      return try SystemIO.synchronize(descriptor)
    }
    var file = try AtomicFile(for: path, mode: mode)
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

  /// Creates a directory and its parents, accessible only to this user.
  static func makePrivateDirectory(_ path: String) throws(SystemError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      throw SystemError.last
    }
    try makePrivateDirectory(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError.last }
  }

  /// Why other users could change the content of this path; nil if only this user can.
  static func sharing(_ path: String) -> String? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return SystemError.last.reason }
    if status.st_mode & S_IFMT == S_IFLNK { return "it is a symbolic link" }
    if status.st_uid != geteuid() { return "it belongs to user \(status.st_uid), not to \(geteuid())" }
    if status.st_mode & 0o022 == 0 { return nil }
    return "others may write to it (mode \(String(status.st_mode & 0o777, radix: 8)))"
  }

  /// The names in a directory, sorted; empty if the directory does not exist.
  static func fileNames(in directory: String) -> [String] {
    guard let entries = opendir(directory) else { return [] }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      names.append(String(decoding: name, as: UTF8.self))
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  /// Removes a file; succeeds if it does not exist.
  static func removeFile(_ path: String) throws(SystemError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw SystemError.last }
  }
}

/// The directory for a user's own files: `$XDG_CONFIG_HOME/nova`, or else `~/.config/nova`.
enum UserDirectory {
  /// The directory's path; it need not exist.
  ///
  /// - Parameter what: the purpose of the directory, for the error message.
  /// - Throws: ``Failure`` when neither variable is set.
  static func path(for what: String, hint: String? = nil) throws -> String {
    if let directory = variable("XDG_CONFIG_HOME") { return "\(directory)/nova" }
    if let home = variable("HOME") { return "\(home)/.config/nova" }
    throw Failure("neither HOME nor XDG_CONFIG_HOME is set, so there is no place for \(what)", hint: hint, .failed)
  }

  private static func variable(_ name: String) -> String? {
    System.variable(name).flatMap { $0.isEmpty ? nil : $0 }
  }
}

import NovaCore
import NovaLibc

extension SystemError {
  /// Whether the other end of a pipe is closed.
  var isClosedPipe: Bool { code == EPIPE }
  /// Whether a file or a directory on the way to it does not exist.
  var isMissingFile: Bool { code == ENOENT }
}

/// System functions in addition to `SystemIO`.
enum System {
  static let standardInput: Int32 = 0
  static let standardOutput: Int32 = 1
  static let standardError: Int32 = 2

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// An environment variable; nil if it is empty.
  static func variable(_ name: String) -> String? {
    environmentVariable(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  static func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether a file exists, or this cannot be found out, for example in a directory that this user cannot search.
  static func mayExist(_ path: String) -> Bool { access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR) }

  /// Whether a symbolic link is there that leads to nothing.
  static func isDanglingLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK && stat(path, &status) != 0
      && errno == ENOENT
  }

  /// Why a file cannot be uploaded; nil if nothing is wrong so far.
  static func problem(uploading path: String) -> String? {
    // Opening a pipe would wait.
    guard let size = fileSize(path) else {
      if isDirectory(path) { return "Is a directory" }
      return fileExists(path) ? "not a regular file" : SystemIO.problem(reading: path)
    }
    return size > 0 ? SystemIO.problem(reading: path) : "the file is empty"
  }

  /// The bytes at the start of a file, or all of a shorter one.
  static func firstBytes(of path: String, count: Int) throws(SystemError) -> [UInt8] {
    let descriptor = try SystemIO.openFile(path)
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = try SystemIO.read(descriptor, atMost: count - bytes.count)
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }

  /// The size of a regular file in bytes; nil for anything else.
  static func fileSize(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  /// Whether this user can write to a file, or add files to a directory.
  static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether a path leads to a device or a pipe, which takes bytes and keeps none, or to standard output, even if that is
  /// a file: `/dev/stdout` must not be replaced.
  static func isStream(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) || isStandardOutput(path)
  }

  /// Whether a path leads to what standard output is. Character devices don't count: `/dev/null` mixes nothing.
  static func isStandardOutput(_ path: String) -> Bool {
    var (named, output) = (stat(), stat())
    guard stat(path, &named) == 0, fstat(standardOutput, &output) == 0, named.st_mode & S_IFMT != S_IFCHR else {
      return false
    }
    return named.st_dev == output.st_dev && named.st_ino == output.st_ino
  }

  /// Exits at once.
  static func exitNow(_ status: ExitStatus) -> Never { _exit(status.rawValue) }

  /// Exits at once with the exit code of a program that a signal has ended, as shells report it.
  static func exitNow(afterSignal number: Int32) -> Never { _exit(128 + number) }

  /// Replaces this process by another program. Returns only if that fails.
  static func replaceProcess(with path: String, _ arguments: [String]) -> SystemError {
    var pointers: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    execv(path, &pointers)
    let error = SystemError.last
    pointers.forEach { free($0) }
    return error
  }

  /// The path of another program in this program's folder.
  static func siblingPath(_ name: String) -> String {
    let path = executablePath
    return path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)] + name
  }

  /// The paths that a program could have in the directories of `PATH`. Relative directories are left out: what they name
  /// depends on the current directory, which may be anybody's.
  static func searchPath(for name: String) -> [String] {
    (variable("PATH") ?? "").split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
  }

  /// Whether a path leads to a file that this user can run.
  static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  /// The path of this program, with links resolved.
  private static var executablePath: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    #if canImport(Darwin)
      var size = UInt32(buffer.count)
      guard _NSGetExecutablePath(&buffer, &size) == 0 else { return CommandLine.arguments[0] }
    #else
      guard readlink("/proc/self/exe", &buffer, Int(PATH_MAX)) > 0 else { return CommandLine.arguments[0] }
    #endif
    guard let resolved = realpath(buffer, nil) else { return CommandLine.arguments[0] }
    defer { free(resolved) }
    return String(path: resolved)
  }
}

extension System {
  /// Replaces a file atomically. Devices, pipes and standard output are written to.
  static func replaceFile(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    try writeFile(path, bytes, replaces: true)
  }

  /// The same, unless a file is there that must not be replaced.
  ///
  /// - Returns: whether the bytes were written.
  @discardableResult
  static func writeFile(_ path: String, _ bytes: [UInt8], replaces: Bool) throws(SystemError) -> Bool {
    // Opening a directory fails.
    if isStream(path) || isDirectory(path) {
      let stream = try OutputStream(path)
      try SystemIO.write(bytes, to: stream.descriptor)
      try SystemIO.synchronize(stream.descriptor)
      return true
    }
    var file = try AtomicFile(for: path)
    try file.write(bytes)
    return try file.publish(replaces ? .replacing : .keepingExisting)
  }

  /// Checks before a long run that a file can be written at its end.
  static func checkWritable(_ path: String) throws(SystemError) {
    if isDirectory(path) { throw SystemError(code: EISDIR) }
    // A file that exists can be one that a directory without permissions lets this user change.
    if fileExists(path) { return }
    // With the dot, a file in place of the directory is an error, too.
    guard access("\(path.parentPath)/.", W_OK) == 0 else { throw SystemError.last }
  }

  // MARK: Directories

  /// Removes a directory, unless something is in it.
  static func removeEmptyDirectory(_ path: String) { rmdir(path) }

  /// The path of a file with the symbolic links of its directory resolved, so that each file has one path.
  static func canonicalPath(_ file: String) throws(SystemError) -> String {
    guard let resolved = realpath(file.parentPath, nil) else { throw SystemError.last }
    defer { free(resolved) }
    let parent = String(path: resolved)
    return "\(parent == "/" ? "" : parent)/\(file.lastPathPart)"
  }
}

/// The directory for a user's own files: `$XDG_CONFIG_HOME/nova`, or else `~/.config/nova`.
enum UserDirectory {
  /// The directory's path; it need not exist.
  ///
  /// - Parameter what: the purpose of the directory, for the error message.
  /// - Throws: ``Failure`` when neither variable is set to an absolute path.
  static func path(for what: String, hint: String? = nil) throws -> String {
    if let directory = UserDirectories.configuration { return "\(directory)/nova" }
    throw Failure(
      "\(UserDirectories.problem("XDG_CONFIG_HOME")), so there is no place for \(what)", hint: hint, .failed)
  }
}

/// A device or a pipe that is open for writing.
final class OutputStream: Sendable {
  let descriptor: Int32

  init(_ path: String) throws(SystemError) {
    // What standard output has already must stay, as with `>>`.
    descriptor =
      System.isStandardOutput(path)
      ? fcntl(System.standardOutput, F_DUPFD_CLOEXEC, 0) : open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
  }

  deinit { close(descriptor) }
}

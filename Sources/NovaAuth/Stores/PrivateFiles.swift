import NovaCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Small files that only their owner can read, written atomically.
///
/// Tests can make each step fail with ``step``.
struct PrivateFiles: Sendable {
  /// The steps of writing a file, in order.
  enum Step: CaseIterable, Sendable { case directory, create, write, sync, publish, syncDirectory }

  /// Called before each step; an error number makes the step fail with it.
  var step: @Sendable (Step) -> Int32? = { _ in nil }

  // MARK: Reading

  /// Returns the file's bytes; nil if the file does not exist.
  func read(_ path: String, limit: Int) throws(SessionStoreError) -> [UInt8]? {
    try Self.requirePath(path)
    guard try TrustedDirectory.check(Self.directory(of: path)) else { return nil }
    // Not blocking, because the path may lead to a named pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .system(path, errno, "read")
    }
    defer { close(descriptor) }
    try Self.requirePrivate(descriptor, path)
    do throws(SystemError) {
      if let bytes = try SystemIO.readAll(descriptor, limit: limit) { return bytes }
    } catch {
      throw .system(path, error.code, "read")
    }
    throw SessionStoreError(.tooLarge, path, "not a session: expected at most \(limit) bytes; remove the file")
  }

  /// Throws unless the descriptor is a regular file that only this user can read.
  static func requirePrivate(_ descriptor: Int32, _ path: String) throws(SessionStoreError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(path, errno, "read") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SessionStoreError(.wrongType, path, "expected a file; choose another path for the session")
    }
    guard status.st_uid == geteuid() else {
      throw SessionStoreError(.notOwned, path, "it belongs to user \(status.st_uid), not to \(geteuid()); remove it")
    }
    guard status.st_mode & 0o077 == 0 else {
      let mode = String(status.st_mode & 0o777, radix: 8)
      throw SessionStoreError(
        .tooOpen, path,
        "other users can access it (mode \(mode)): expected 600; run chmod 600, and sign in again if in doubt")
    }
  }

  static func requirePath(_ path: String) throws(SessionStoreError) {
    guard !path.isEmpty, !path.utf8.contains(0), path.utf8.last != UInt8(ascii: "/") else {
      throw SessionStoreError(.wrongType, path, "expected the path of a file")
    }
  }

  // MARK: Writing

  /// Replaces the file atomically, also with regard to crashes.
  func replace(_ path: String, with bytes: [UInt8]) throws(SessionStoreError) {
    try Self.requirePath(path)
    try requireReplaceable(path)
    try publish(bytes, path, .replacing)
    removeLeftovers(of: path)
  }

  /// Creates the file atomically, unless it exists.
  func create(_ path: String, with bytes: [UInt8]) throws(SessionStoreError) {
    try Self.requirePath(path)
    try publish(bytes, path, .keepingExisting)
  }

  /// Removes the file; succeeds if it does not exist.
  func remove(_ path: String) throws(SessionStoreError) {
    try Self.requirePath(path)
    do throws(SessionStoreError) {
      guard try TrustedDirectory.check(Self.directory(of: path)) else { return }
    } catch {
      // A component of the path is not a directory, so the file does not exist.
      if error.kind == .wrongType { return }
      throw error
    }
    guard unlink(path) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return }
      throw .system(path, errno, "remove")
    }
    try syncDirectory(of: path)
  }

  private func publish(
    _ bytes: [UInt8], _ path: String, _ placement: AtomicFile.Placement
  ) throws(SessionStoreError) {
    try makeDirectory(of: path)
    try prepare(.create, path)
    do throws(SystemError) {
      var file = try AtomicFile(for: path, mode: 0o600)
      // Whatever the process's mask took away.
      guard fchmod(file.descriptor, 0o600) == 0 else { throw .last }
      try prepareWrite(.write)
      try file.write(bytes)
      try prepareWrite(.sync)
      try prepareWrite(.publish)
      try file.publish(placement)
    } catch {
      throw .system(path, error.code, "write")
    }
    try syncDirectory(of: path)
  }

  private func prepareWrite(_ next: Step) throws(SystemError) {
    if let code = step(next) { throw SystemError(code: code) }
  }

  /// Throws if the path leads to anything but a regular file.
  private func requireReplaceable(_ path: String) throws(SessionStoreError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFLNK: throw .system(path, ELOOP, "write")
    default: throw SessionStoreError(.wrongType, path, "expected a file; choose another path for the session")
    }
  }

  func prepare(_ next: Step, _ path: String) throws(SessionStoreError) {
    if let code = step(next) { throw .system(path, code, "write") }
  }
}

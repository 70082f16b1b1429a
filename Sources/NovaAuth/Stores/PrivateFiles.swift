import NovaCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Small files that only their owner may read, and that are there whole or not at all.
///
/// Everything goes through ``step``, which a test can make fail or look in at.
struct PrivateFiles: Sendable {
  /// What writing a file goes through, in order.
  enum Step: CaseIterable, Sendable { case directory, create, write, sync, publish, syncDirectory }

  /// Called before each step; an error number makes it fail as if the system had said so.
  var step: @Sendable (Step) -> Int32? = { _ in nil }

  // MARK: Reading

  /// The file's bytes; nil when there is no file.
  func read(_ path: String, limit: Int) throws(SessionStoreError) -> [UInt8]? {
    try Self.requirePath(path)
    guard try TrustedDirectory.check(Self.directory(of: path)) else { return nil }
    // Not blocking, so that a named pipe in the file's place cannot stop us.
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
    throw SessionStoreError(.tooLarge, path, "it is no session: expected at most \(limit) bytes. Remove it.")
  }

  /// Refuses what is no file, is not ours, or can be read by others.
  static func requirePrivate(_ descriptor: Int32, _ path: String) throws(SessionStoreError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(path, errno, "read") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SessionStoreError(.wrongType, path, "expected a file. Choose another path for the session.")
    }
    guard status.st_uid == geteuid() else {
      throw SessionStoreError(.notOwned, path, "it belongs to user \(status.st_uid), not to \(geteuid()). Remove it.")
    }
    guard status.st_mode & 0o077 == 0 else {
      let mode = String(status.st_mode & 0o777, radix: 8)
      throw SessionStoreError(
        .tooOpen, path, "others may use it (mode \(mode)): expected 600. Run chmod 600, and sign in anew if you must.")
    }
  }

  static func requirePath(_ path: String) throws(SessionStoreError) {
    guard !path.isEmpty, !path.utf8.contains(0), path.utf8.last != UInt8(ascii: "/") else {
      throw SessionStoreError(.wrongType, path, "expected the path of a file.")
    }
  }

  // MARK: Writing

  /// Puts `bytes` in the place of the file: whoever reads sees all of the old file or all of the new one, also after a
  /// crash.
  func replace(_ path: String, with bytes: [UInt8]) throws(SessionStoreError) {
    try Self.requirePath(path)
    try requireReplaceable(path)
    try publish(bytes, path, .replacing)
    removeLeftovers(of: path)
  }

  /// Makes the file unless there is one already; either way it is there whole afterwards.
  func create(_ path: String, with bytes: [UInt8]) throws(SessionStoreError) {
    try Self.requirePath(path)
    try publish(bytes, path, .keepingExisting)
  }

  /// Removes the file; succeeds when there is none.
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
      guard fsync(file.descriptor) == 0 else { throw .last }
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

  /// Refuses to put a file in the place of something else.
  private func requireReplaceable(_ path: String) throws(SessionStoreError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFLNK: throw .system(path, ELOOP, "write")
    default: throw SessionStoreError(.wrongType, path, "expected a file. Choose another path for the session.")
    }
  }

  func prepare(_ next: Step, _ path: String) throws(SessionStoreError) {
    if let code = step(next) { throw .system(path, code, "write") }
  }
}

import NovaCore
import NovaLibc

/// Small files that only their owner can read, written atomically.
///
/// Tests can make each step fail with ``step``.
package struct PrivateFiles: Sendable {
  /// The steps of writing a file, in order.
  enum Step: CaseIterable, Sendable { case directory, create, write, sync, publish, syncDirectory }

  /// Called before each step; an error number makes the step fail with it.
  private let step: @Sendable (Step) -> Int32?

  init(step: @escaping @Sendable (Step) -> Int32?) { self.step = step }

  package init() { self.init { _ in nil } }

  // MARK: Reading

  /// Returns the file's bytes; nil if the file does not exist.
  package func read(_ path: String, limit: Int) throws(SessionStoreError) -> [UInt8]? {
    try Self.requirePath(path)
    guard try TrustedDirectory.check(path.parentPath) else { return nil }
    // Not blocking, because the path may lead to a named pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .system(errno, at: path, verb: "read")
    }
    defer { close(descriptor) }
    try Self.requirePrivate(descriptor, path)
    do throws(SystemError) {
      if let bytes = try SystemIO.readAll(descriptor, limit: limit) { return bytes }
    } catch {
      throw .system(error.code, at: path, verb: "read")
    }
    throw SessionStoreError(.tooLarge, at: path, "it is too large: expected at most \(limit) bytes; remove the file")
  }

  /// Throws unless the descriptor is a regular file that only this user can read.
  package static func requirePrivate(_ descriptor: Int32, _ path: String) throws(SessionStoreError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno, at: path, verb: "read") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SessionStoreError(.wrongType, at: path, "expected a file; choose another path")
    }
    guard status.st_uid == geteuid() else {
      throw SessionStoreError(
        .notOwned, at: path, "it belongs to user \(status.st_uid), not to \(geteuid()); remove it")
    }
    guard status.st_mode & 0o077 == 0 else {
      let mode = String(status.st_mode & 0o777, radix: 8)
      throw SessionStoreError(
        .tooOpen, at: path,
        "other users can access it (mode \(mode)): expected 600; run chmod 600, and sign in again if in doubt")
    }
  }

  static func requirePath(_ path: String) throws(SessionStoreError) {
    let bytes = path.utf8Bytes
    guard let last = bytes.last, last != UInt8(ascii: "/"), !bytes.contains(0) else {
      throw SessionStoreError(.wrongType, at: path, "expected the path of a file")
    }
  }

  // MARK: Writing

  /// Replaces the file atomically, also with regard to crashes.
  package func replace(_ path: String, with bytes: [UInt8]) throws(SessionStoreError) {
    try Self.requirePath(path)
    try requireReplaceable(path)
    try publish(bytes, at: path, .replacing)
    removeLeftovers(of: path)
  }

  /// Creates the file atomically, unless it exists.
  func create(_ path: String, with bytes: [UInt8]) throws(SessionStoreError) {
    try Self.requirePath(path)
    try publish(bytes, at: path, .keepingExisting)
  }

  /// Removes the file; succeeds if it does not exist.
  package func remove(_ path: String) throws(SessionStoreError) {
    try Self.requirePath(path)
    do throws(SessionStoreError) {
      guard try TrustedDirectory.check(path.parentPath) else { return }
    } catch {
      // A component of the path is not a directory, so the file does not exist.
      if error.kind == .wrongType { return }
      throw error
    }
    guard unlink(path) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return }
      throw .system(errno, at: path, verb: "remove")
    }
    try syncDirectory(of: path)
  }

  private func publish(
    _ bytes: [UInt8], at path: String, _ placement: AtomicFile.Placement
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
      throw .system(error.code, at: path, verb: "write")
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
    case S_IFLNK: throw .system(ELOOP, at: path, verb: "write")
    default: throw SessionStoreError(.wrongType, at: path, "expected a file; choose another path")
    }
  }

  func prepare(_ next: Step, _ path: String) throws(SessionStoreError) {
    if let code = step(next) { throw .system(code, at: path, verb: "write") }
  }

  // MARK: Directories

  /// Creates the directory of a file, accessible only to this user (0700). Throws if other users can write to it.
  package func makeDirectory(of path: String) throws(SessionStoreError) {
    try prepare(.directory, path)
    let directory = path.parentPath
    if try !TrustedDirectory.check(directory) {
      try Self.make(directory)
      guard try TrustedDirectory.check(directory) else { throw .system(ENOENT, at: directory, verb: "make") }
    }
    var status = stat()
    guard stat(directory, &status) == 0 else { throw .system(errno, at: directory, verb: "read") }
    guard status.st_uid == geteuid() else {
      throw SessionStoreError(
        .notOwned, at: directory,
        "it belongs to user \(status.st_uid), not to \(geteuid()); choose a directory of your own")
    }
  }

  private static func make(_ directory: String) throws(SessionStoreError) {
    if mkdir(directory, 0o700) == 0 || errno == EEXIST { return }
    let code = errno
    let parent = directory.parentPath
    guard code == ENOENT, parent != directory, parent != "." else { throw .system(code, at: directory, verb: "make") }
    try make(parent)
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw .system(errno, at: directory, verb: "make") }
  }

  /// Makes a new name survive a crash of the machine.
  func syncDirectory(of path: String) throws(SessionStoreError) {
    try prepare(.syncDirectory, path)
    let directory = path.parentPath
    do throws(SystemError) { try SystemIO.synchronizeDirectory(directory) } catch {
      throw .system(error.code, at: directory, verb: "write")
    }
  }

  /// Removes temporary files of processes that were killed while writing. Newer ones may be in use.
  func removeLeftovers(of path: String) {
    let (directory, prefix) = (path.parentPath, "\(path.lastPathPart).tmp-")
    for name in SystemIO.fileNames(in: directory) where name.hasPrefix(prefix) {
      let leftover = "\(directory)/\(name)"
      var status = stat()
      guard lstat(leftover, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      if time(nil) - status.modifiedNanoseconds / 1_000_000_000 > 3600 { unlink(leftover) }
    }
  }
}

extension SessionStoreError {
  /// Creates an error for a system error, with advice.
  static func system(_ code: Int32, at path: String, verb: String) -> SessionStoreError {
    let kind: Kind
    var advice = ""
    switch code {
    case ENOSPC, EDQUOT, EFBIG:
      (kind, advice) = (.diskFull, "; free some space and try again: the previous content is unchanged")
    case EACCES, EPERM: (kind, advice) = (.notPermitted, "; change its permissions, or choose another path")
    case EROFS: (kind, advice) = (.notPermitted, "; choose a writable path")
    case ELOOP, EMLINK: (kind, advice) = (.symbolicLink, "; links are not followed: use the path of the target")
    case ENOTDIR, EISDIR, ENXIO: (kind, advice) = (.wrongType, "; choose another path")
    case EEXIST: (kind, advice) = (.wrongType, "; remove it, or choose another path")
    default: kind = .system
    }
    return SessionStoreError(kind, at: path, "cannot \(verb) it: \(SystemError(code: code).reason)\(advice)")
  }
}

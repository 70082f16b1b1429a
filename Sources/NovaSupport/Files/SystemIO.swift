#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A call to the system that failed.
package struct SystemError: Error, Hashable {
  /// The system's number for it.
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// Something else than a file is in its place, such as a pipe or a device. The system has no number for it.
  package static let notRegularFile = SystemError(code: -1)
  /// Another user, who could change it at any time, owns a file.
  package static let foreignFile = SystemError(code: -2)

  /// Another file has taken the place of one that was written.
  package static let replacedFile = SystemError(code: -3)
  /// Another program has written to a file, or shortened it, while this one wrote it.
  package static let changedFile = SystemError(code: -4)

  /// That of the call that has just failed.
  package static var last: SystemError { SystemError(code: errno) }

  /// The reason in the system's words: `No such file or directory`.
  package var reason: String {
    switch self {
    case .notRegularFile: return "not a regular file"
    case .foreignFile: return "it belongs to another user"
    case .replacedFile: return "something else took its place"
    case .changedFile: return "another program changed it"
    default: break
    }
    var buffer = [CChar](repeating: 0, count: 256)
    // Unlike strerror, safe on any thread.
    _ = strerror_r(code, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// Reading and writing open files whole: through interruptions, and through calls that do only a part.
package enum SystemIO {
  /// Whether something exists at this path, readable or not.
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Why the file cannot be read, or nil when it can. Does not wait.
  ///
  /// - Parameter kind: what the path may lead to.
  package static func problem(reading path: String, _ kind: FileKind = .any) -> String? {
    // Not blocking: a pipe would wait for a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return SystemError.last.reason }
    defer { close(descriptor) }
    do throws(SystemError) {
      try require(kind, of: descriptor, path)
      return nil
    } catch {
      return error.reason
    }
  }

  /// Reads what there is, at most `count` bytes; empty at the end. Waits for it also on a descriptor that does not block:
  /// another program, which shares it, can have made it so.
  package static func read(_ descriptor: Int32, atMost count: Int) throws(SystemError) -> [UInt8] {
    while true {
      var result = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        #if canImport(Glibc)
          result = Glibc.read(descriptor, buffer.baseAddress, count)
        #elseif canImport(Musl)
          result = Musl.read(descriptor, buffer.baseAddress, count)
        #else
          result = Darwin.read(descriptor, buffer.baseAddress, count)
        #endif
        filled = max(0, result)
      }
      if result >= 0 { return bytes }
      try waitAfterFailure(descriptor, for: POLLIN)
    }
  }

  /// Reads to the end; nil when there are more than `limit` bytes.
  package static func readAll(_ descriptor: Int32, limit: Int = .max) throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      let piece = try read(descriptor, atMost: 65_536)
      if piece.isEmpty { return bytes }
      bytes += piece
      if bytes.count > limit { return nil }
    }
  }

  /// Reads a file to its end; nil when there are more than `limit` bytes.
  ///
  /// - Parameter kind: what the path may lead to.
  /// - Throws: SystemError, also for anything that `kind` excludes.
  package static func readFile(
    _ path: String, limit: Int = .max, _ kind: FileKind = .regular
  ) throws(SystemError) -> [UInt8]? {
    let descriptor = try openFile(path, kind)
    defer { close(descriptor) }
    return try readAll(descriptor, limit: limit)
  }

  /// What a path that is read may lead to.
  package enum FileKind {
    /// A file, for paths that nobody chose: a pipe in its place would block for ever, a device would never end.
    case regular
    /// A file that this user or root owns, for what other users must not provide. Links are not followed.
    case own
    /// Also a pipe or a device, for paths that the user has just typed: `<(…)`, `/dev/stdin`.
    case any
    /// Also a pipe without a name, such as `<(…)`, for paths that a library opens: it would wait at a pipe with a name, and
    /// read most devices without an end.
    case ending
  }

  /// Opens a file for reading. Only with ``FileKind/any`` can this wait.
  package static func openFile(_ path: String, _ kind: FileKind = .regular) throws(SystemError) -> Int32 {
    let flags =
      switch kind {
      case .regular, .ending: O_NONBLOCK | O_NOCTTY
      case .own: O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
      case .any: O_NOCTTY
      }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | flags)
    guard descriptor >= 0 else { throw .last }
    do throws(SystemError) {
      try require(kind, of: descriptor, path)
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func require(_ kind: FileKind, of descriptor: Int32, _ path: String) throws(SystemError) {
    switch kind {
    case .regular, .own: try requireRegular(descriptor, isOwn: kind == .own)
    case .ending: if mayNotEnd(path) { throw .notRegularFile }
    case .any: break
    }
  }

  /// Whether a path leads to a named pipe, whose reader waits for a writer, or to a device other than
  /// `/dev/null` and terminals. Opens nothing.
  package static func mayNotEnd(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    switch status.st_mode & S_IFMT {
    case S_IFIFO:
      // Descriptors of pipes without a name are not resolved, or stay what they are.
      guard let resolved = realpath(path, nil) else { return false }
      defer { free(resolved) }
      return !String(path: resolved).hasPrefix("/dev/fd/")
    case S_IFCHR:
      var null = stat()
      if stat("/dev/null", &null) == 0, null.st_rdev == status.st_rdev { return false }
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
      guard descriptor >= 0 else { return false }
      defer { close(descriptor) }
      return isatty(descriptor) == 0
    default: return false
    }
  }

  /// Opens a file, for types that have an `open` of their own.
  package static func descriptor(_ path: String, _ flags: Int32, mode: UInt32 = 0) -> Int32 {
    open(path, flags | O_CLOEXEC, mode_t(mode))
  }

  /// Throws unless an open file is a regular one.
  ///
  /// - Parameter isOwn: whether it must belong to this user or to root.
  package static func requireRegular(_ descriptor: Int32, isOwn: Bool = false) throws(SystemError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw SystemError(code: EISDIR)
    default: throw .notRegularFile
    }
    if isOwn, status.st_uid != geteuid(), status.st_uid != 0 { throw .foreignFile }
  }

  /// Throws unless an open file has this size: what one program writes must not be mixed with what another does.
  package static func requireSize(_ size: Int, of descriptor: Int32) throws(SystemError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last }
    guard status.st_size == size else { throw .changedFile }
  }

  /// Writes all of the bytes. Waits for room also on a descriptor that does not block.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    var start = 0
    while start < bytes.count {
      let result = bytes[start...].withUnsafeBytes { part in
        #if canImport(Glibc)
          Glibc.write(descriptor, part.baseAddress, part.count)
        #elseif canImport(Musl)
          Musl.write(descriptor, part.baseAddress, part.count)
        #else
          Darwin.write(descriptor, part.baseAddress, part.count)
        #endif
      }
      if result < 0 {
        try waitAfterFailure(descriptor, for: POLLOUT)
        continue
      }
      // Some systems report a full disk by writing nothing.
      guard result > 0 else { throw SystemError(code: ENOSPC) }
      start += result
    }
  }

  /// Returns when a call that has just failed can be repeated.
  ///
  /// - Throws: SystemError if it failed for good.
  private static func waitAfterFailure(_ descriptor: Int32, for event: Int32) throws(SystemError) {
    switch errno {
    case EINTR: return
    case EAGAIN, EWOULDBLOCK: break
    default: throw .last
    }
    var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    // An error or an end is reported by the repeated call.
    while poll(&entry, 1, -1) < 0 { if errno != EINTR { throw .last } }
  }

  /// Returns once what was written outlives the machine's next failure. Some files cannot do this, which is no error.
  package static func synchronize(_ descriptor: Int32) throws(SystemError) {
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else { throw .last }
  }

  /// The same for the names in a directory.
  package static func synchronizeDirectory(_ path: String) throws(SystemError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    try synchronize(descriptor)
  }

  /// Locks an open file for this process, until ``unlockAndClose(_:)``. Does not wait.
  ///
  /// - Returns: false if another process, or another descriptor of this one, has the lock.
  package static func lock(_ descriptor: Int32) throws(SystemError) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw .last }
    }
    return true
  }

  /// Releases the lock of a file and closes it.
  ///
  /// Closing alone is not enough: a child process has a copy of the descriptor until it executes its program, and the lock
  /// lasts as long as the last copy.
  package static func unlockAndClose(_ descriptor: Int32) {
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// The names in a directory, sorted; empty if the directory does not exist.
  package static func fileNames(in directory: String) -> [String] {
    guard let entries = opendir(directory) else { return [] }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(path: $0.prefix { $0 != 0 }) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.inOrder()
  }
}

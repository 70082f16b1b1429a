internal import NovaLibc

/// A system call that failed.
package struct SystemError: Error, Hashable {
  /// The system's error number.
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// The path leads to something other than a file, such as a pipe or a device. The system has no error number for it.
  package static let notRegularFile = SystemError(code: -1)
  /// The file belongs to another user, who could change it at any time.
  package static let foreignFile = SystemError(code: -2)

  /// Another file replaced the one that was written.
  package static let replacedFile = SystemError(code: -3)
  /// Another program wrote to the file, or shortened it, while this program wrote it.
  package static let changedFile = SystemError(code: -4)

  /// The error of the call that just failed.
  package static var last: SystemError { SystemError(code: errno) }

  /// The system's description: `No such file or directory`.
  package var reason: String {
    switch self {
    case .notRegularFile: return "not a regular file"
    case .foreignFile: return "it belongs to another user"
    case .replacedFile: return "something else took its place"
    case .changedFile: return "another program changed it"
    default: break
    }
    var buffer = [CChar](repeating: 0, count: 256)
    // Unlike `strerror`, this is safe on any thread.
    _ = strerror_r(code, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// Reads and writes open files completely: retries after interruptions, and after calls that do only part of the work.
package enum SystemIO {
  /// Whether something exists at this path, readable or not.
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The reason why the file cannot be read; nil if it can. Does not wait.
  ///
  /// - Parameter kind: what the path may lead to.
  package static func problem(reading path: String, _ kind: FileKind = .any) -> String? {
    // Does not block: opening a pipe would wait for a writer.
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

  /// Reads the available bytes, at most `count`; empty at the end. Waits for bytes even if the descriptor is
  /// nonblocking, because another program that shares it may have made it so.
  package static func read(_ descriptor: Int32, atMost count: Int) throws(SystemError) -> [UInt8] {
    while true {
      var result = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        result = NovaLibc.read(descriptor, buffer.baseAddress, count)
        filled = max(0, result)
      }
      if result >= 0 { return bytes }
      try waitAfterFailure(descriptor, for: POLLIN)
    }
  }

  /// Reads to the end; nil if there are more than `limit` bytes.
  package static func readAll(_ descriptor: Int32, limit: Int = .max) throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      let piece = try read(descriptor, atMost: 65_536)
      if piece.isEmpty { return bytes }
      bytes += piece
      if bytes.count > limit { return nil }
    }
  }

  /// Reads a file to its end; nil if it has more than `limit` bytes.
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

  /// What a path may lead to when it is read.
  package enum FileKind {
    /// A regular file, for paths that the user did not choose: reading a pipe would block forever, and a device would
    /// never end.
    case regular
    /// A file of this user or of root, for content that other users must not provide. Does not follow links.
    case own
    /// A file, pipe, or device, for paths that the user just typed: `<(…)`, `/dev/stdin`.
    case any
    /// A file or an unnamed pipe, such as `<(…)`, for paths that a library opens: a named pipe would make it wait, and
    /// most devices never end.
    case ending
  }

  /// Opens a file for reading. It can wait only with ``FileKind/any``.
  package static func openFile(_ path: String, _ kind: FileKind = .regular) throws(SystemError) -> Int32 {
    let flags =
      switch kind {
      case .regular, .ending: O_NONBLOCK | O_NOCTTY
      case .own: O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
      case .any: O_NOCTTY
      }
    let descriptor = try opened(path, O_RDONLY | flags)
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

  /// Whether a path leads to a named pipe, whose reader waits for a writer, or to a device other than `/dev/null` and
  /// terminals. Opens nothing.
  package static func mayNotEnd(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    switch status.st_mode & S_IFMT {
    case S_IFIFO:
      // `realpath` fails for descriptors of unnamed pipes, or does not change their path.
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

  /// Opens a file, for types that have their own `open`.
  package static func descriptor(_ path: String, _ flags: Int32, mode: UInt32 = 0) -> Int32 {
    open(path, flags | O_CLOEXEC, mode_t(mode))
  }

  /// Opens a file like ``descriptor(_:_:mode:)``, and throws if that fails.
  package static func opened(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Int32 {
    let descriptor = descriptor(path, flags, mode: mode)
    guard descriptor >= 0 else { throw .last }
    return descriptor
  }

  /// Throws unless an open file is a regular file.
  ///
  /// - Parameter isOwn: whether it must belong to this user or to root.
  package static func requireRegular(_ descriptor: Int32, isOwn: Bool = false) throws(SystemError) {
    let status = try status(of: descriptor)
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw SystemError(code: EISDIR)
    default: throw .notRegularFile
    }
    if isOwn, status.st_uid != geteuid(), status.st_uid != 0 { throw .foreignFile }
  }

  /// Throws unless an open file has this size. Two programs must not mix their output in one file.
  package static func requireSize(_ size: Int, of descriptor: Int32) throws(SystemError) {
    guard try status(of: descriptor).st_size == size else { throw .changedFile }
  }

  /// Writes all bytes. Waits until there is room, even if the descriptor is nonblocking.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    var start = 0
    while start < bytes.count {
      let result = bytes[start...].withUnsafeBytes { part in
        NovaLibc.write(descriptor, part.baseAddress, part.count)
      }
      if result < 0 {
        try waitAfterFailure(descriptor, for: POLLOUT)
        continue
      }
      // Some systems report a full disk by writing no bytes.
      guard result > 0 else { throw SystemError(code: ENOSPC) }
      start += result
    }
  }

  /// Returns once a call that just failed can be repeated.
  ///
  /// - Throws: SystemError if the call cannot be repeated.
  private static func waitAfterFailure(_ descriptor: Int32, for event: Int32) throws(SystemError) {
    switch errno {
    case EINTR: return
    case EAGAIN, EWOULDBLOCK: break
    default: throw .last
    }
    var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    // The repeated call reports an error or the end.
    while poll(&entry, 1, -1) < 0 { if errno != EINTR { throw .last } }
  }

  /// Returns once the content of a file survives a failure of the machine. Files that do not support it are not an
  /// error.
  package static func synchronize(_ descriptor: Int32) throws(SystemError) {
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else { throw .last }
  }

  /// Returns once the names in a directory survive a failure of the machine.
  package static func synchronizeDirectory(_ path: String) throws(SystemError) {
    let descriptor = try opened(path, O_RDONLY | O_DIRECTORY)
    defer { close(descriptor) }
    try synchronize(descriptor)
  }

  /// Locks an open file for this process until ``unlockAndClose(_:)``. Does not wait.
  ///
  /// - Returns: false if another process, or another descriptor of this one, has the lock.
  package static func lock(_ descriptor: Int32) throws(SystemError) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw .last }
    }
    return true
  }

  /// Unlocks a file and closes it.
  ///
  /// Closing is not enough: a child process has a copy of the descriptor until it executes its program, and the lock
  /// lasts until the last copy is closed.
  package static func unlockAndClose(_ descriptor: Int32) {
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// The sorted names in a directory; empty if the directory does not exist.
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

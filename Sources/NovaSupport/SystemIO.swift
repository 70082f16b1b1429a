#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A call to the system that failed.
package struct SystemError: Error, Hashable {
  /// The system's number for it.
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// That of the call that has just failed.
  package static var last: SystemError { SystemError(code: errno) }

  /// The reason in the system's words: `No such file or directory`.
  package var reason: String {
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

  /// Why the file cannot be read, or nil when it can.
  package static func problem(reading path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return SystemError.last.reason }
    close(descriptor)
    return nil
  }

  /// Reads what there is, at most `count` bytes; empty at the end.
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
      if errno != EINTR { throw .last }
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
  package static func readFile(_ path: String, limit: Int = .max) throws(SystemError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    return try readAll(descriptor, limit: limit)
  }

  /// Writes all of the bytes.
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
      if result < 0, errno == EINTR { continue }
      // Some systems report a full disk by writing nothing.
      guard result > 0 else { throw result == 0 ? SystemError(code: ENOSPC) : .last }
      start += result
    }
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
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.inOrder()
  }
}

import NovaCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An open file that nobody else may have open for the same purpose. Closed at the end of its life.
final class StateDescriptor: Sendable {
  let path: String
  let number: Int32

  /// Opens or creates the file, for its owner only.
  init(_ path: String) throws(StateFileError) {
    self.path = path
    number = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard number >= 0 else { throw StateFileError.system(path, "opened") }
    var status = stat()
    guard fstat(number, &status) == 0 else { throw StateFileError.system(path, "read") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw StateFileError(path, "is not a plain file") }
    guard flock(number, LOCK_EX | LOCK_NB) == 0 else {
      throw errno == EWOULDBLOCK
        ? StateFileError(path, "is in use by another nova serve. Stop that one, or choose another file.")
        : StateFileError.system(path, "locked")
    }
    // Others may have been able to read it before; it says who registered.
    guard fchmod(number, 0o600) == 0 else { throw StateFileError.system(path, "made private") }
  }

  deinit { if number >= 0 { close(number) } }

  /// Reads up to `count` bytes from a place on; fewer at the end only.
  func read(at offset: Int64, count: Int) throws(StateFileError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let result = pread(
          number, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(offset) + off_t(filled))
        if result < 0, errno == EINTR { continue }
        if result < 0 { failure = errno }
        guard result > 0 else { break }
        filled += result
      }
    }
    if failure != 0 { throw StateFileError.system(path, "read", SystemError(code: failure)) }
    return bytes
  }

  /// Writes all of the bytes at a place.
  func write(_ bytes: [UInt8], at offset: Int64) throws(StateFileError) {
    var written = 0
    while written < bytes.count {
      let result = bytes.withUnsafeBytes {
        pwrite(number, $0.baseAddress?.advanced(by: written), bytes.count - written, off_t(offset) + off_t(written))
      }
      if result < 0, errno == EINTR { continue }
      guard result > 0 else {
        throw StateFileError.system(path, "written", result == 0 ? SystemError(code: ENOSPC) : .last)
      }
      written += result
    }
  }

  func truncate(to length: Int64) throws(StateFileError) {
    guard ftruncate(number, off_t(length)) == 0 else { throw StateFileError.system(path, "shortened") }
  }

  /// Returns once what was written would outlive the machine.
  func synchronize() throws(StateFileError) {
    #if canImport(Darwin)
      let result = fcntl(number, F_FULLFSYNC)
    #else
      let result = fdatasync(number)
    #endif
    guard result == 0 else { throw StateFileError.system(path, "written for good") }
  }

  /// The same for the name of the file in its folder.
  func synchronizeFolder() {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
    // Some file systems cannot do this for folders; the file's own contents are safe all the same.
    try? SystemIO.synchronizeDirectory(String(folder))
  }
}

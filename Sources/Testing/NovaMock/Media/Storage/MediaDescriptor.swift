import NovaCore
import NovaLibc

/// An open file of bytes of an upload.
final class MediaDescriptor: Sendable {
  private let number: Int32

  /// Opens an existing file for reading and writing.
  init(_ path: String) throws(SystemError) {
    number = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard number >= 0 else { throw .last }
  }

  deinit { if number >= 0 { close(number) } }

  /// Creates an empty file that only its owner can read.
  static func create(_ path: String) throws(SystemError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .last }
    close(descriptor)
  }

  /// Writes bytes at an offset.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let result = pwrite(
        number, bytes.baseAddress?.advanced(by: written), bytes.count - written, off_t(offset) + off_t(written))
      if result < 0, errno == EINTR { continue }
      guard result > 0 else { throw result == 0 ? SystemError(code: ENOSPC) : .last }
      written += result
    }
  }

  /// Fills a buffer from an offset, and returns the number of bytes; fewer only at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
    var filled = 0
    while filled < buffer.count {
      let result = pread(
        number, buffer.baseAddress?.advanced(by: filled), buffer.count - filled, off_t(offset) + off_t(filled))
      if result < 0, errno == EINTR { continue }
      if result < 0 { throw .last }
      if result == 0 { break }
      filled += result
    }
    return filled
  }

  /// Passes a range of the file to `body`, piece by piece.
  ///
  /// - Returns: whether the file has the whole range.
  func forEachPiece(
    in range: Range<Int64>, _ body: (UnsafeRawBufferPointer, Int64) throws(SystemError) -> Void
  ) throws(SystemError) -> Bool {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let wanted = Int(min(Int64(buffer.count), range.upperBound - offset))
      let count = try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset)
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]), offset)
      offset += Int64(count)
      if count < wanted { return false }
    }
    return true
  }

  /// The number of bytes; 0 for what is not a file.
  func size() throws(SystemError) -> Int64 {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .last }
    return status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : 0
  }

  /// Sets the size; a larger file gets a hole, which reads as zeros and takes no space.
  func resize(to length: Int64) throws(SystemError) {
    while ftruncate(number, off_t(length)) != 0 { if errno != EINTR { throw .last } }
  }

  /// Returns once everything written would survive a power loss.
  func synchronize() throws(SystemError) { try SystemIO.synchronize(number) }
}

extension UnsafeRawBufferPointer {
  /// Whether all bytes are zero.
  var isZero: Bool {
    guard let start = baseAddress, first == 0 else { return isEmpty }
    // Each byte equals the next one.
    return count == 1 || memcmp(start, start + 1, count - 1) == 0
  }
}

import NovaCore
import NovaLibc

/// An open file of bytes of an upload.
final class MediaDescriptor: Sendable {
  private let number: Int32

  /// Opens an existing file for reading and writing.
  init(_ path: String) throws(SystemError) {
    number = try SystemIO.opened(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK)
  }

  deinit { close(number) }

  /// Creates an empty file that only its owner can read.
  static func create(_ path: String) throws(SystemError) {
    close(try SystemIO.opened(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600))
  }

  /// Writes bytes at an offset.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
    try SystemIO.write(bytes, to: number, at: offset)
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
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
      let count = try SystemIO.read(number, at: offset, into: piece)
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]), offset)
      offset += Int64(count)
      if count < wanted { return false }
    }
    return true
  }

  /// The number of bytes; 0 for anything but a regular file.
  func size() throws(SystemError) -> Int64 {
    let status = try SystemIO.status(of: number)
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

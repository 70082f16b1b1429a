package import NovaLibc

/// Reads and writes at positions of open files.
extension SystemIO {
  /// Fills a buffer.
  ///
  /// - Returns: the number of bytes; less than the size of the buffer only at the end of the file.
  package static func read(
    _ descriptor: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    var filled = 0
    while filled < buffer.count {
      let result = pread(
        descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled, off_t(offset) + off_t(filled))
      if result == 0 { break }
      if result > 0 { filled += result } else if errno != EINTR { throw .last }
    }
    return filled
  }

  /// Reads `count` bytes; fewer only at the end of the file.
  package static func read(_ descriptor: Int32, at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(SystemError) {
        filled = try read(descriptor, at: offset, into: UnsafeMutableRawBufferPointer(buffer))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes all of the bytes.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64
  ) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let result = pwrite(
        descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written, off_t(offset) + off_t(written))
      if result == 0 { throw SystemError(code: ENOSPC) }
      if result > 0 { written += result } else if errno != EINTR { throw .last }
    }
  }

  /// The status of an open file.
  package static func status(of descriptor: Int32) throws(SystemError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last }
    return status
  }
}

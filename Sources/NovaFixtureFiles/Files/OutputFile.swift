import NovaCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A new file behind a buffer, and the digest of everything that went into it.
struct OutputFile: ~Copyable {
  /// So much is handed to the system at a time.
  static let bufferSize = 256 * 1024

  /// Where bytes are put; ``flushIfFull()`` sees to it that they do not become too many.
  var buffer: [UInt8] = []
  private let path: String
  private let descriptor: Int32
  // Optional so that it can be taken out: what has a deinit cannot be taken apart.
  private var hash: SHA256?
  private(set) var byteCount = 0

  init(creating path: String) throws(FixtureError) {
    let hash = try FixtureDigest.sha256()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw FileSystem.failure(path, "create") }
    self.path = path
    self.descriptor = descriptor
    self.hash = consume hash
    buffer.reserveCapacity(Self.bufferSize + 16_384)
  }

  deinit { close(descriptor) }

  mutating func append(_ text: String) { buffer.append(contentsOf: text.utf8) }

  @inline(__always)
  mutating func flushIfFull() throws(FixtureError) { if buffer.count >= Self.bufferSize { try flush() } }

  mutating func flush() throws(FixtureError) {
    hash?.update(buffer)
    var start = 0
    while start < buffer.count {
      let count = buffer.withUnsafeBytes { systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: $0[start...])) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileSystem.failure(path, "write", count == 0 ? ENOSPC : errno) }
      start += count
    }
    byteCount += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes the rest, makes sure that it lasts, and tells what the file holds.
  consuming func finish() throws(FixtureError) -> (bytes: Int, sha256: String) {
    try flush()
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else { throw FileSystem.failure(path, "write") }
    return (byteCount, try FixtureDigest.text(hash.take()?.finalized() ?? []))
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  #if canImport(Darwin)
    Darwin.write(descriptor, bytes.baseAddress, bytes.count)
  #elseif canImport(Musl)
    Musl.write(descriptor, bytes.baseAddress, bytes.count)
  #else
    Glibc.write(descriptor, bytes.baseAddress, bytes.count)
  #endif
}

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
    do throws(SystemError) { try SystemIO.write(buffer, to: descriptor) } catch {
      throw FileSystem.failure(path, "write", error)
    }
    byteCount += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes the rest, makes sure that it lasts, and tells what the file holds.
  consuming func finish() throws(FixtureError) -> (bytes: Int, sha256: String) {
    try flush()
    do throws(SystemError) { try SystemIO.synchronize(descriptor) } catch {
      throw FileSystem.failure(path, "write", error)
    }
    return (byteCount, try FixtureDigest.text(hash.take()?.finalized() ?? []))
  }
}

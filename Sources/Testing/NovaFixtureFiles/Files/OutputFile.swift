import NovaCore
import NovaCrypto
import NovaLibc

/// A new file with a write buffer and a digest of its contents.
struct OutputFile: ~Copyable {
  /// The size of a write.
  static let bufferSize = 256 * 1024

  /// The bytes to write; call ``flushIfFull()`` after appending.
  var buffer: [UInt8] = []
  private let path: String
  private let descriptor: Int32
  // Optional, because a type with a deinit does not support partial consumption.
  private var hash: SHA256?
  private(set) var byteCount = 0

  init(creating path: String) throws(FixtureError) {
    let hash = try FixtureDigest.sha256()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw FileSystem.failure(path, to: "create") }
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
      throw FileSystem.failure(path, to: "write", error)
    }
    byteCount += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes the rest, flushes it to disk, and returns the size and digest of the file.
  consuming func finish() throws(FixtureError) -> (bytes: Int, sha256: String) {
    try flush()
    do throws(SystemError) { try SystemIO.synchronize(descriptor) } catch {
      throw FileSystem.failure(path, to: "write", error)
    }
    return (byteCount, try Hexadecimal.encode(hash.take()?.finalized() ?? []))
  }
}

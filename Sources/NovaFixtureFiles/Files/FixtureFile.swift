import NovaCore
import NovaCrypto

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that is read in chunks or line by line.
struct InputFile: ~Copyable {
  /// The maximum length of a line.
  static let maximumLine = 16 * 1024 * 1024
  private static let chunk = 256 * 1024

  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  init(_ path: String) throws(FixtureError) {
    // Don't wait for the writer of a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileSystem.failure(path, to: "read") }
    // Reading pipes and devices can block or never end.
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .unreadable("\(path) is not a regular file")
    }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Reads the next chunk; empty at the end.
  mutating func piece() throws(FixtureError) -> [UInt8] {
    do throws(SystemError) { return try SystemIO.read(descriptor, atMost: Self.chunk) } catch {
      throw FileSystem.failure(path, to: "read", error)
    }
  }

  /// Reads the next line without its line feed; nil at the end.
  mutating func line() throws(FixtureError) -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return buffer[start..<end]
      }
      searched = buffer.count - start
      if isAtEnd {
        defer { start = buffer.count }
        return start < buffer.count ? buffer[start...] : nil
      }
      guard searched <= Self.maximumLine else {
        throw .unreadable("\(path) has a line of more than \(Self.maximumLine) bytes")
      }
      buffer.removeSubrange(..<start)
      start = 0
      let piece = try piece()
      isAtEnd = piece.isEmpty
      buffer += piece
    }
  }
}

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

/// Digests of files.
enum FixtureDigest {
  /// Returns the size and SHA-256 of a file.
  static func ofFile(_ path: String) throws(FixtureError) -> (bytes: Int, sha256: String) {
    var file = try InputFile(path)
    var hash = try sha256()
    var count = 0
    while true {
      let piece = try file.piece()
      if piece.isEmpty { return (count, try Hexadecimal.encode(hash.finalized())) }
      if Task.isCancelled { throw .cancelled }
      hash.update(piece)
      count += piece.count
    }
  }

  static func sha256() throws(FixtureError) -> SHA256 {
    do throws(CryptoError) {
      return try SHA256()
    } catch {
      throw .failed(error.description)
    }
  }
}

extension SHA256 {
  consuming func finalized() throws(FixtureError) -> [UInt8] {
    do throws(CryptoError) {
      return try finalize()
    } catch {
      throw .failed(error.description)
    }
  }
}

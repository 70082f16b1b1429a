import NovaCore
import NovaCrypto
import NovaLibc

/// The open file of a stored response. It can be read even after it was removed.
///
/// A file consists of a preamble, the head, and the body. The preamble contains a mark, the sizes of head and body, the
/// digest of the body, and the digest of everything before the body. Damage anywhere is detected by a digest or by the
/// file's size. The second digest also covers the file's name, which represents the URL and the caller, so a renamed
/// file counts as damaged.
final class DiskFile: Sendable {
  /// The reason why there is no file.
  enum Problem: Error { case missing, damaged }

  static let mark = Array("NOVACH03".utf8)
  static let preambleCount = mark.count + 4 + 8 + 2 * SHA256.byteCount
  /// Larger than any head that a transport accepts.
  private static let largestHead = 4 << 20

  let head: StoredHead
  let bodyCount: Int
  /// When it was used, in seconds since 1970; up to a minute too early.
  private let usedAt: Double
  let bodyDigest: [UInt8]
  private let bodyOffset: Int
  private let descriptor: Int32

  /// Opens a file of this user, and checks its head.
  init(_ path: String) throws(Problem) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    // Too many open files and similar failures are not damage; a symbolic link is.
    guard descriptor >= 0 else { throw errno == ELOOP ? .damaged : .missing }
    do throws(Problem) {
      (head, bodyCount, bodyDigest, bodyOffset, usedAt) = try Self.readHead(descriptor, named: path.lastPathPart)
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  private static func readHead(
    _ descriptor: Int32, named name: String
  ) throws(Problem) -> (StoredHead, bodyCount: Int, bodyDigest: [UInt8], bodyOffset: Int, usedAt: Double) {
    var status = stat()
    do throws(SystemError) {
      try SystemIO.requireRegular(descriptor, isOwn: true)
    } catch {
      // Files of other users are left alone.
      throw error == .foreignFile ? .missing : .damaged
    }
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let preamble = read(descriptor, at: 0, count: preambleCount)
    else { throw .damaged }
    var reader = HeadReader(Array(preamble[mark.count...]))
    guard Array(preamble[..<mark.count]) == mark, let headCount = reader.number(UInt32.self),
      let count = reader.number(UInt64.self), headCount <= largestHead, let bodyCount = Int(exactly: count),
      let bodyDigest = reader.bytes(SHA256.byteCount), let digest = reader.bytes(SHA256.byteCount),
      // Avoids an addition that could overflow.
      Int(status.st_size) - preambleCount - Int(headCount) == bodyCount,
      let encoded = read(descriptor, at: preambleCount, count: Int(headCount)),
      let actual = try? Self.digest(Array(preamble.dropLast(SHA256.byteCount)), head: encoded, named: name),
      actual == digest,
      let head = StoredHead(encoded: encoded)
    else { throw .damaged }
    return (head, bodyCount, bodyDigest, preambleCount + Int(headCount), status.modificationTime)
  }

  /// The digest of the file's name and everything before the body.
  static func digest(_ preamble: [UInt8], head: [UInt8], named name: String) throws -> [UInt8] {
    try SHA256.digest(of: preamble + head + name.utf8)
  }

  /// The whole body; nil if it is damaged.
  func readBody() -> [UInt8]? {
    guard let body = read(at: 0, count: bodyCount), (try? SHA256.digest(of: body)) == bodyDigest else { return nil }
    return body
  }

  /// Whether the body is undamaged. Reads it in pieces.
  func verify() -> Bool {
    guard var hash = try? SHA256() else { return false }
    var offset = 0
    while offset < bodyCount {
      guard let piece = read(at: offset, count: min(256 << 10, bodyCount - offset)) else { return false }
      hash.update(piece)
      offset += piece.count
    }
    return (try? hash.finalize()) == bodyDigest
  }

  /// A part of the body; nil if it cannot be read.
  func read(at offset: Int, count: Int) -> [UInt8]? { Self.read(descriptor, at: bodyOffset + offset, count: count) }

  private static func read(_ descriptor: Int32, at offset: Int, count: Int) -> [UInt8]? {
    let bytes = try? SystemIO.read(descriptor, at: Int64(offset), count: count)
    return bytes?.count == count ? bytes : nil
  }

  /// Records that the file was used, at most once a minute.
  func touch(at now: Double) { if abs(now - usedAt) >= 60 { Self.setTime(now, of: descriptor) } }

  static func setTime(_ now: Double, of descriptor: Int32) {
    guard now.isFinite, abs(now) < 1e11 else { return }
    let time = timespec(tv_sec: Int(now.rounded(.down)), tv_nsec: 0)
    _ = [time, time].withUnsafeBufferPointer { futimens(descriptor, $0.baseAddress) }
  }
}

extension stat {
  /// The modification time, in seconds since 1970.
  var modificationTime: Double {
    #if canImport(Darwin)
      Double(st_mtimespec.tv_sec)
    #else
      Double(st_mtim.tv_sec)
    #endif
  }
}

/// The chunks of a file's body, for a caller that reads it in pieces.
struct DiskChunks: AsyncSequence, Sendable {
  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let file: DiskFile
    fileprivate var rest: Range<Int>

    mutating func next() async throws -> [UInt8]? {
      try Task.checkCancellation()
      guard !rest.isEmpty else { return nil }
      let count = Swift.min(128 << 10, rest.count)
      guard let bytes = file.read(at: rest.lowerBound, count: count) else {
        throw HTTPBodyError.sourceFailed(reason: "a file of the cache cannot be read")
      }
      rest = (rest.lowerBound + count)..<rest.upperBound
      return bytes
    }
  }

  let file: DiskFile
  let range: Range<Int>

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(file: file, rest: range) }
}

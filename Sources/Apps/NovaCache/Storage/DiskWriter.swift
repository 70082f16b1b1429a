import NovaCore
import NovaCrypto
import NovaLibc

/// Writes the file of a response in pieces, under a temporary name. The file is removed unless it is published.
///
/// Only one task may use it at a time. A failure, such as a full disk, leaves no file.
final class DiskWriter {
  private let store: DiskStore
  private let head: [UInt8]
  private let name: String
  private var file: AtomicFile
  private var hash: SHA256
  private var bodyCount = 0
  private let largestBody: Int

  /// - Throws: if the file cannot be created.
  init(_ store: DiskStore, path: String, head: StoredHead) throws {
    self.store = store
    self.head = head.encoded
    name = path.lastPathPart
    largestBody = store.largestBody
    hash = try SHA256()
    file = try AtomicFile(for: path, mode: 0o600)
    // The preamble contains the digests, so it is written last.
    try file.write([UInt8](repeating: 0, count: DiskFile.preambleCount) + self.head)
  }

  /// - Throws: if the disk is full, or the body exceeds the limit.
  func append(_ bytes: [UInt8]) throws {
    bodyCount += bytes.count
    guard bodyCount <= largestBody else { throw DiskFile.Problem.damaged }
    hash.update(bytes)
    try file.write(bytes)
  }

  /// Moves the file into its place.
  ///
  /// - Returns: the size of the file.
  func publish(at now: Double) throws -> Int {
    let digest = try replaceHash().finalize()
    var preamble = DiskFile.mark
    preamble.append(number: UInt32(head.count))
    preamble.append(number: UInt64(bodyCount))
    preamble += digest
    preamble += try DiskFile.digest(preamble, head: head, named: name)
    guard preamble.withUnsafeBytes({ pwrite(file.descriptor, $0.baseAddress, $0.count, 0) }) == preamble.count else {
      throw SystemError.last
    }
    DiskFile.setTime(now, of: file.descriptor)
    try file.publish(isDurable: false)
    return DiskFile.preambleCount + head.count + bodyCount
  }

  private func replaceHash() throws -> SHA256 {
    var other = try SHA256()
    swap(&hash, &other)
    return other
  }
}

import NovaCore

/// Writes bytes after those of a state. They belong to no state until they are committed.
///
/// Confined to one chunk, whose lock protects it.
final class MediaWriter {
  let file: MediaFile
  private let descriptor: MediaDescriptor
  private let number: Int
  private let digest: DigestBuilder
  private var end: Int64

  /// - Parameter stored: the bytes of the state; nil for none. If another state has committed bytes after them, they are
  ///   copied into a new file.
  init(after stored: StoredBytes?, in folder: MediaFolder) throws(MockFailure) {
    digest = try DigestBuilder(after: stored?.digest)
    end = stored?.count ?? 0
    if let stored, stored.file.folder === folder {
      let descriptor = try Self.open(stored.file)
      // After a gap, the next bytes would make a file that no client has sent.
      guard try MockFailure.storing({ () throws(SystemError) in try descriptor.size() }) >= stored.count else {
        throw Self.cutShort
      }
      if let number = try stored.file.admitWriter(at: stored.count, descriptor) {
        (file, self.descriptor, self.number) = (stored.file, descriptor, number)
        return
      }
    }
    file = try folder.makeFile()
    descriptor = try Self.open(file)
    guard let number = try file.admitWriter(at: 0, descriptor) else {
      throw MockFailure(.internalError, "a new file has bytes")
    }
    self.number = number
    if let stored { try Self.copy(stored, to: file, through: descriptor, by: number) }
  }

  private static func open(_ file: MediaFile) throws(MockFailure) -> MediaDescriptor {
    try MockFailure.storing { () throws(SystemError) in try MediaDescriptor(file.path) }
  }

  /// Another program has cut a file.
  private static let cutShort = MockFailure(.dataLoss, "the stored bytes are shorter than they were")

  private static func copy(
    _ stored: StoredBytes, to file: MediaFile, through target: MediaDescriptor, by writer: Int
  ) throws(MockFailure) {
    let source = try open(stored.file)
    var failure: MockFailure?
    let isWhole = try MockFailure.storing { () throws(SystemError) in
      try source.forEachPiece(in: 0..<stored.count) { (bytes, offset) throws(SystemError) in
        guard failure == nil else { return }
        do throws(MockFailure) { _ = try file.write(bytes, at: offset, by: writer, target) } catch { failure = error }
      }
    }
    guard let problem = failure ?? (isWhole ? nil : cutShort) else { return }
    file.cancel(writer, target)
    throw problem
  }

  /// Writes the next bytes; false if another writer has been admitted.
  func write(_ bytes: UnsafeRawBufferPointer) throws(MockFailure) -> Bool {
    guard try file.write(bytes, at: end, by: number, descriptor) else { return false }
    digest.update(bytes)
    end += Int64(bytes.count)
    return true
  }

  /// The bytes of the state together with those written.
  func result() throws(MockFailure) -> StoredBytes {
    StoredBytes(file: file, count: end, digest: try digest.digest())
  }

  /// Returns once the bytes would survive a power loss.
  func synchronize() throws(MockFailure) {
    try MockFailure.storing { () throws(SystemError) in try descriptor.synchronize() }
  }

  /// Makes the bytes part of the file; false if another writer has been admitted.
  func commit() -> Bool { file.commit(upTo: end, by: number) }

  func cancel() { file.cancel(number, descriptor) }
}

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
      try Self.requireWhole(stored, descriptor)
      if let number = try Self.admit(stored.file, at: stored.count, descriptor) {
        (file, self.descriptor, self.number) = (stored.file, descriptor, number)
        return
      }
    }
    file = try folder.makeFile()
    descriptor = try Self.open(file)
    guard let number = try Self.admit(file, at: 0, descriptor) else {
      throw MockFailure(.internalError, "a new file has bytes")
    }
    self.number = number
    if let stored { try Self.copy(stored, to: file, through: descriptor, by: number) }
  }

  private static func open(_ file: MediaFile) throws(MockFailure) -> MediaDescriptor {
    do throws(SystemError) { return try MediaDescriptor(file.path) } catch { throw .cannotStore(error) }
  }

  /// Throws if another program has cut the file: after a gap, the next bytes would make a file that no client has sent.
  private static func requireWhole(_ stored: StoredBytes, _ descriptor: MediaDescriptor) throws(MockFailure) {
    do throws(SystemError) {
      if try descriptor.size() >= stored.count { return }
    } catch {
      throw .cannotStore(error)
    }
    throw MockFailure(.dataLoss, "the stored bytes are shorter than they were")
  }

  private static func admit(
    _ file: MediaFile, at offset: Int64, _ descriptor: MediaDescriptor
  ) throws(MockFailure) -> Int? {
    do throws(SystemError) { return try file.admitWriter(at: offset, descriptor) } catch { throw .cannotStore(error) }
  }

  private static func copy(
    _ stored: StoredBytes, to file: MediaFile, through target: MediaDescriptor, by writer: Int
  ) throws(MockFailure) {
    let source = try open(stored.file)
    var failure: MockFailure?
    do throws(SystemError) {
      let isWhole = try source.forEachPiece(in: 0..<stored.count) { (bytes, offset) throws(SystemError) in
        guard failure == nil else { return }
        do throws(MockFailure) { _ = try file.write(bytes, at: offset, by: writer, target) } catch { failure = error }
      }
      if !isWhole { failure = failure ?? MockFailure(.dataLoss, "the stored bytes are shorter than they were") }
    } catch {
      throw .cannotStore(error)
    }
    guard let failure else { return }
    file.cancel(writer, target)
    throw failure
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
    do throws(SystemError) { try descriptor.synchronize() } catch { throw .cannotStore(error) }
  }

  /// Makes the bytes part of the file; false if another writer has been admitted.
  func commit() -> Bool { file.commit(upTo: end, by: number) }

  func cancel() { file.cancel(number, descriptor) }
}

import NovaCore
import NovaMedia

/// Bytes of an upload that a journal refers to, and that are missing or have changed.
struct MediaDamage: Error {
  let upload: String
  /// The damaged file; nil if it is missing or a chunk before it is.
  let file: MediaFile?
  let problem: String
}

extension MediaFolder {
  /// Keeps the damaged file aside, and returns the error to report.
  func error(_ damage: MediaDamage) throws(MockJournalError) -> MockJournalError {
    let problem = "the bytes of \(damage.upload) are damaged: \(damage.problem)"
    guard let file = damage.file else { return MockJournalError(problem, isMediaDamage: true) }
    do throws(SystemError) {
      let aside = try replaceDamaged(file)
      return MockJournalError("\(problem); the file is kept as \(aside)", isMediaDamage: true)
    } catch {
      throw MockJournalError("\(problem), and the file cannot be replaced: \(error.reason)")
    }
  }
}

extension MockEngine {
  /// Replays a chunk whose bytes are in the journal.
  mutating func store(_ request: HTTPRequest, in id: String) throws -> HTTPResponse {
    let chunk = incomingChunk(id, request.headers)
    chunk.append(request.body.inMemory)
    return try store(chunk, request.headers, isJournaled: false)
  }

  /// Replays a chunk whose bytes are in a file, after it has verified them.
  mutating func restore(_ chunk: StoredChunk, of id: String) throws {
    guard let upload = state.media.storedUpload(id), upload.count == chunk.first, chunk.end <= upload.upload.fileSize
    else { throw MediaDamage(upload: id, file: nil, problem: "the bytes before \(chunk.first) are missing") }
    guard let file = media.existingFile(chunk.file) else {
      throw MediaDamage(upload: id, file: nil, problem: "the file \(chunk.file) is missing")
    }
    let bytes = try verified(chunk, in: file, after: upload.bytes, of: id)
    file.adopt(upTo: chunk.end)
    _ = state.media.change(id) { $0.store(bytes) }
  }

  private func verified(
    _ chunk: StoredChunk, in file: MediaFile, after base: StoredBytes?, of id: String
  ) throws -> StoredBytes {
    // Bytes that another state shared were copied into this file.
    let continues = base.map { $0.file === file } ?? false
    let builder = try DigestBuilder(after: continues ? base?.digest : nil)
    let isWhole: Bool
    do throws(SystemError) {
      isWhole = try MediaDescriptor(file.path).forEachPiece(in: (continues ? chunk.first : 0)..<chunk.end) {
        (bytes, _) throws(SystemError) in builder.update(bytes)
      }
    } catch {
      throw MediaDamage(upload: id, file: file, problem: "\(file.path) cannot be read: \(error.reason)")
    }
    guard isWhole else {
      throw MediaDamage(upload: id, file: file, problem: "\(file.path) ends before \(chunk.end) bytes")
    }
    let digest = try builder.digest()
    guard try digest.value() == chunk.digest else {
      throw MediaDamage(
        upload: id, file: file, problem: "\(file.path) has other bytes from \(chunk.first) to \(chunk.end)")
    }
    return StoredBytes(file: file, count: chunk.end, digest: digest)
  }
}

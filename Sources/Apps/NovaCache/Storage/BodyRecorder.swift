import NovaCore

/// Stores a body while a caller reads it. A body that is not read to its end is not stored.
///
/// Only one task may use it at a time.
final class BodyRecorder {
  private let head: StoredHead
  private let key: CacheKey
  private let call: CacheCall
  private let store: CacheStore
  private var writer: DiskWriter?
  /// Nil if the body is too large for the memory.
  private var bytes: [UInt8]? = []
  private let largestBodyInMemory: Int
  private var count = 0

  /// - Parameter call: the request, with its mark, see `CacheStore.isCurrent`.
  init(_ head: StoredHead, _ key: CacheKey, of call: CacheCall, store: CacheStore, writer: DiskWriter?) {
    self.head = head
    self.key = key
    self.call = call
    self.store = store
    self.writer = writer
    largestBodyInMemory = store.largestBodyInMemory
  }

  func append(_ chunk: [UInt8]) {
    count += chunk.count
    if count > largestBodyInMemory { bytes = nil } else { bytes?.append(contentsOf: chunk) }
    do { try writer?.append(chunk) } catch { writer = nil }
  }

  /// Stores the response, if the body has its announced length and the URL was not removed in the meantime.
  func finish() {
    guard BodyLength.isPlausible(count, head.headers) else { return }
    if let bytes {
      store.insertInMemory(head, bytes, for: key, since: call.mark)
      store.publish(head, bytes, for: key, of: call)
    }
    if let writer { store.finish(writer, head, for: key, since: call.mark) }
    writer = nil
  }
}

/// The chunks of a response, stored while they are read.
struct RecordedChunks: AsyncSequence, Sendable {
  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var chunks: HTTPBody.AsyncIterator
    fileprivate var recorder: BodyRecorder?

    mutating func next() async throws -> [UInt8]? {
      guard let chunk = try await chunks.next() else {
        recorder?.finish()
        recorder = nil
        return nil
      }
      recorder?.append(chunk)
      return chunk
    }
  }

  let body: HTTPBody
  let head: StoredHead
  let key: CacheKey
  let call: CacheCall
  let store: CacheStore

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      chunks: body.makeAsyncIterator(), recorder: store.recorder(head, key, of: call, length: body.length))
  }
}

/// Compares bodies with the lengths that their heads announce.
enum BodyLength {
  /// Whether a body may be complete. `Content-Length` counts the bytes before decompression.
  static func isPlausible(_ count: Int, _ headers: HTTPHeaders) -> Bool {
    if headers.isEncoded { return true }
    return switch AnnouncedLength(headers) {
    case .unknown: true
    case .bytes(let announced): announced == count
    case .invalid: false
    }
  }
}

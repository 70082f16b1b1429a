import NovaCore

/// The bytes of a media file as they arrive, chunk by chunk; see ``MediaService/bytes(of:limit:)``.
///
/// ```swift
/// let bytes = try await nova.media.bytes(of: url, limit: 5 << 20)
/// for try await chunk in bytes { print(chunk.count) }
/// ```
///
/// The sequence can be read once. If the connection is lost, reading continues with the next byte on a new one. A
/// digest from the server is compared at the end, so the bytes are verified only when the sequence ends without an
/// error. Release the sequence and its iterator to end the transfer.
public struct MediaBytes: AsyncSequence, Sendable {
  /// Reads the chunks.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// Nil if another iterator has taken the bytes.
    fileprivate var reader: MediaReader?
    fileprivate let limit: Int
    private var count = 0

    fileprivate init(_ reader: MediaReader?, limit: Int) { (self.reader, self.limit) = (reader, limit) }

    /// The next chunk, never empty; nil at the end.
    ///
    /// - Throws: ``APIError``: `failedPrecondition` if the file changed or the bytes were already read; `networkError`
    ///   if the connection is lost and reading cannot continue; `invalidResponse` for too many bytes or a wrong digest.
    public mutating func next() async throws -> [UInt8]? {
      guard reader != nil else {
        throw APIError(
          .failedPrecondition, "cannot read the bytes again", reason: "they can be read once",
          advice: "request them again",
          rpc: MediaService.downloadBytes.descriptor.id)
      }
      while let piece = try await reader?.next() {
        guard case .bytes(let bytes) = piece else { continue }
        guard bytes.count <= limit - count else { throw MediaBytes.tooLarge(limit) }
        count += bytes.count
        return bytes
      }
      try Task.checkCancellation()
      return nil
    }
  }

  /// The file's media type, such as `image/jpeg`; nil if the server reports none.
  public let contentType: String?
  /// The file's size in bytes; nil if the server does not report it.
  public let length: Int?
  /// The server's entity tag with its quotation marks; nil if it sent none.
  public let etag: String?
  private let request: MediaRequest
  /// The first response, until an iterator takes it. Then the connection is free when reading has ended.
  private let first: Locked<MediaBody?>
  private let limit: Int

  /// - Parameters:
  ///   - first: the first response, from the beginning of the file.
  ///   - limit: the maximum number of bytes.
  init(_ request: MediaRequest, first: MediaBody, limit: Int) throws {
    contentType = first.head.contentType
    length = first.head.total
    etag = first.head.etag
    if let length, length > limit { throw Self.tooLarge(limit) }
    (self.request, self.first, self.limit) = (request, Locked(first), limit)
  }

  public func makeAsyncIterator() -> AsyncIterator {
    let first = first.withLock { $0.take() }
    return AsyncIterator(first.map { MediaReader(request, first: $0, mayRewind: false) }, limit: limit)
  }

  /// Reads all bytes into memory, up to the limit that was passed to ``MediaService/bytes(of:limit:)``.
  ///
  /// - Throws: ``APIError``, as ``AsyncIterator/next()`` does.
  public func collect() async throws -> [UInt8] {
    var bytes: [UInt8] = []
    // The announced length is only a hint. Before any byte arrives, it reserves at most 8 MiB.
    if let length { bytes.reserveCapacity(Swift.min(length, 8 << 20)) }
    for try await chunk in self { bytes.append(contentsOf: chunk) }
    return bytes
  }

  fileprivate static func tooLarge(_ limit: Int) -> APIError {
    APIError(
      .invalidResponse, "cannot read the bytes", reason: "the file is larger than the limit of \(limit) bytes",
      rpc: MediaService.downloadBytes.descriptor.id)
  }
}

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
    fileprivate var chunks: HTTPBody.AsyncIterator

    /// The next chunk, never empty; nil at the end.
    ///
    /// - Throws: ``APIError``: `failedPrecondition` if the file changed or the bytes were already read; `networkError`
    ///   if the connection is lost and reading cannot continue; `invalidResponse` for too many bytes or a wrong digest.
    public mutating func next() async throws -> [UInt8]? {
      do { return try await chunks.next() } catch is HTTPBodyError {
        throw APIError(
          .failedPrecondition, "cannot read the bytes again", reason: "they can be read once",
          advice: "request them again",
          rpc: MediaService.downloadBytes.descriptor.id)
      }
    }
  }

  /// The file's media type, such as `image/jpeg`; nil if the server reports none.
  public let contentType: String?
  /// The file's size in bytes; nil if the server does not report it.
  public let length: Int?
  /// The server's entity tag with its quotation marks; nil if it sent none.
  public let etag: String?
  private let body: HTTPBody

  /// - Parameters:
  ///   - first: the first response, from the beginning of the file.
  ///   - limit: the maximum number of bytes.
  init(_ request: MediaRequest, first: MediaBody, limit: Int) throws {
    contentType = first.head.contentType
    length = first.head.total
    etag = first.head.etag
    if let length, length > limit { throw Self.tooLarge(limit) }
    body = .stream(HTTPBodyStream(Chunks(request: request, first: Locked(first), limit: limit)))
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: body.makeAsyncIterator()) }

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

  private static func tooLarge(_ limit: Int) -> APIError {
    APIError(
      .invalidResponse, "cannot read the bytes", reason: "the file is larger than the limit of \(limit) bytes",
      rpc: MediaService.downloadBytes.descriptor.id)
  }

  /// The bytes of any number of responses.
  private struct Chunks: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
      var reader: MediaReader
      let limit: Int
      var count = 0

      mutating func next() async throws -> [UInt8]? {
        while let piece = try await reader.next() {
          guard case .bytes(let bytes) = piece else { continue }
          guard bytes.count <= limit - count else { throw tooLarge(limit) }
          count += bytes.count
          return bytes
        }
        return nil
      }
    }

    let request: MediaRequest
    /// The reader takes it, so that the connection is free when reading has ended.
    let first: Locked<MediaBody?>
    let limit: Int

    func makeAsyncIterator() -> AsyncIterator {
      let first = first.withLock { $0.take() }
      return AsyncIterator(reader: MediaReader(request, first: first, mayRewind: false), limit: limit)
    }
  }
}

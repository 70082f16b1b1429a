import NovaCore

/// The bytes of a media file as they arrive, chunk by chunk; see ``MediaService/bytes(of:limit:)``.
///
/// They can be read once. When the connection is lost, reading continues on another one, with the next byte.
public struct MediaBytes: AsyncSequence, Sendable {
  /// Reads the chunks.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var chunks: HTTPBody.AsyncIterator

    /// The next chunk, never empty; nil at the end.
    ///
    /// - Throws: ``APIError``.
    public mutating func next() async throws -> [UInt8]? { try await chunks.next() }
  }

  /// The file's media type, such as `image/jpeg`; nil if the server reports none.
  public let contentType: String?
  /// The file's size in bytes; nil if the server does not report it.
  public let length: Int?
  /// The server's entity tag with its quotation marks; nil if it sent none.
  public let etag: String?
  private let body: HTTPBody
  private let limit: Int

  init(_ body: HTTPBody, contentType: String?, length: Int?, etag: String?, limit: Int) {
    self.body = body
    self.contentType = contentType
    self.length = length
    self.etag = etag
    self.limit = limit
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: body.makeAsyncIterator()) }

  /// Reads all bytes into memory: at most the limit that ``MediaService/bytes(of:limit:)`` was given.
  ///
  /// - Throws: ``APIError``.
  public func collect() async throws -> [UInt8] { try await body.collect(upTo: limit) }
}

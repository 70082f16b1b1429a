public import NovaSupport

/// The body of a request or a response: bytes in memory, a region of a file, or a stream.
///
/// All of them are read in the same way, chunk by chunk, or collected:
///
/// ```swift
/// for try await chunk in response.body { try file.write(chunk) }
/// let bytes = try await response.body.collect(upTo: 1 << 20)
/// ```
///
/// Bytes and files can be read again, so their requests can be sent again. A stream can be read only once.
public enum HTTPBody: Sendable, Hashable {
  /// Bytes in memory. An empty array means no body.
  case bytes([UInt8])
  /// A region of a file, read while it is sent.
  case file(HTTPFileRegion)
  /// Chunks that arrive over time.
  case stream(HTTPBodyStream)

  /// No body.
  public static let empty = HTTPBody.bytes([])

  /// The body's size in bytes; nil for a stream of unknown length.
  public var length: Int? {
    switch self {
    case .bytes(let bytes): bytes.count
    case .file(let region): region.length
    case .stream(let stream): stream.length
    }
  }

  /// Whether the body is known to be empty.
  public var isEmpty: Bool { length == 0 }

  /// Whether the body can be read more than once, so that its request can be sent again. False for streams.
  public var isReplayable: Bool { if case .stream = self { false } else { true } }

  /// The bytes of a body in memory; nil for a file or a stream, which ``collect(upTo:)`` reads.
  public var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

  /// The bytes of a body that is known to be in memory, because the calling code created or collected it.
  package var inMemory: [UInt8] {
    guard case .bytes(let bytes) = self else {
      assertionFailure("the body is not in memory: collect it first")
      return []
    }
    return bytes
  }

  /// Reads the whole body into memory.
  ///
  /// - Parameter limit: The maximum size in bytes.
  /// - Throws: ``HTTPBodyError/tooLarge(limit:)`` as soon as the body exceeds the limit, and any error while reading.
  public func collect(upTo limit: Int) async throws -> [UInt8] {
    if let length, length > limit { throw HTTPBodyError.tooLarge(limit: limit) }
    if case .bytes(let bytes) = self { return bytes }
    var collected: [UInt8] = []
    // The announced length is only a hint. Before any byte arrives, it reserves at most 8 MiB.
    if let length { collected.reserveCapacity(Swift.min(length, 8 << 20)) }
    for try await chunk in self {
      guard chunk.count <= limit - collected.count else { throw HTTPBodyError.tooLarge(limit: limit) }
      collected.append(contentsOf: chunk)
    }
    return collected
  }

  /// Reads the body into memory, unless it is there already.
  ///
  /// - Parameter limit: The maximum size in bytes.
  /// - Throws: As ``collect(upTo:)``.
  public func collected(upTo limit: Int) async throws -> HTTPBody {
    if case .bytes = self { return self }
    return .bytes(try await collect(upTo: limit))
  }
}

extension HTTPBody: AsyncSequence {
  /// Reads the chunks of a body.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let nextChunk: () async throws -> [UInt8]?

    /// The next chunk, never empty; nil at the end.
    public mutating func next() async throws -> [UInt8]? { try await nextChunk() }
  }

  public func makeAsyncIterator() -> AsyncIterator {
    switch self {
    case .bytes(let bytes):
      var rest: [UInt8]? = bytes.isEmpty ? nil : bytes
      return AsyncIterator {
        defer { rest = nil }
        return rest
      }
    case .file(let region):
      var reader: HTTPFileReader?
      var offset = 0
      return AsyncIterator {
        let open = try reader ?? HTTPFileReader(region)
        reader = open
        let chunk = try open.read(at: offset, count: Swift.min(64 << 10, region.length - offset))
        offset += chunk.count
        return chunk.isEmpty ? nil : chunk
      }
    case .stream(let stream): return AsyncIterator(nextChunk: stream.takeChunks())
    }
  }
}

/// Chunks of bytes that arrive over time, for a body. They can be read once.
///
/// A request with a stream is sent at most once. It is neither retried nor redirected, because the stream cannot be
/// read again.
///
/// ```swift
/// let lines = AsyncStream { … }  // of [UInt8]
/// let request = HTTPRequest(method: .post, url: url, body: .stream(HTTPBodyStream(lines)))
/// ```
public struct HTTPBodyStream: Sendable, Hashable {
  private final class Source: Sendable {
    let makeChunks: @Sendable () -> () async throws -> [UInt8]?
    let isTaken = Locked(false)

    init(_ makeChunks: @escaping @Sendable () -> () async throws -> [UInt8]?) { self.makeChunks = makeChunks }
  }

  /// The size of all chunks together, in bytes; nil if unknown. It is sent as `Content-Length`. If the stream turns out
  /// to be longer or shorter, reading fails with ``HTTPBodyError/wrongLength(expected:actual:)``.
  public let length: Int?
  /// The fields that follow the body, once it has ended; nil if the source has no place for them.
  package let trailers: HTTPTrailers?
  private let source: Source

  /// Creates a stream from a sequence of chunks.
  ///
  /// - Parameters:
  ///   - chunks: Read once, while the body is sent, and no faster than the receiver accepts them. An error that is
  ///     neither from NovaSDK nor a `CancellationError` is reported as ``HTTPBodyError/sourceFailed(reason:)``.
  ///   - length: The size of all chunks together, if known.
  public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks, length: Int? = nil) where Chunks.Element == [UInt8] {
    self.init(chunks, length: length, trailers: nil)
  }

  /// Creates a stream that trailers may follow.
  package init<Chunks: AsyncSequence & Sendable>(
    _ chunks: Chunks, length: Int?, trailers: HTTPTrailers?
  ) where Chunks.Element == [UInt8] {
    self.length = length
    self.trailers = trailers
    source = Source {
      var iterator = chunks.makeAsyncIterator()
      var count = 0
      return {
        do {
          // In HTTP/1.1, an empty chunk would mean the end.
          while let chunk = try await iterator.next() {
            if chunk.isEmpty { continue }
            count += chunk.count
            if let length, count > length { throw HTTPBodyError.wrongLength(expected: length, actual: count) }
            return chunk
          }
          // In a cancelled task, some sequences end early.
          try Task.checkCancellation()
          if let length, count < length { throw HTTPBodyError.wrongLength(expected: length, actual: count) }
          return nil
        } catch  where !(error is any NovaError || error is CancellationError) {
          // Not the error's text, which could contain part of the body.
          throw HTTPBodyError.sourceFailed(reason: "\(type(of: error))")
        }
      }
    }
  }

  /// Returns the chunks to the first caller, and throws for all later ones.
  fileprivate func takeChunks() -> () async throws -> [UInt8]? {
    let isTaken = source.isTaken.withLock { isTaken in
      defer { isTaken = true }
      return isTaken
    }
    return isTaken ? { throw HTTPBodyError.alreadyRead } : source.makeChunks()
  }

  public static func == (left: HTTPBodyStream, right: HTTPBodyStream) -> Bool { left.source === right.source }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(source)) }
}

/// The header fields that follow a body. They are known once the body has ended.
package final class HTTPTrailers: Sendable {
  private let state = Locked<HTTPHeaders>([:])

  package init() {}

  package var fields: HTTPHeaders {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

/// The reason why a body could not be read.
public enum HTTPBodyError: NovaError, Hashable {
  /// The body is larger than the limit.
  case tooLarge(limit: Int)
  /// The body is a stream that was already read.
  case alreadyRead
  /// The file could not be read, or ended before its region.
  case unreadableFile(path: String, reason: String)
  /// The body is a stream that is shorter or longer than its announced length.
  case wrongLength(expected: Int, actual: Int)
  /// The body is a stream whose source failed with an error of this type.
  case sourceFailed(reason: String)

  public var description: String {
    switch self {
    case .tooLarge(let limit): "body too large: more than \(limit) bytes"
    case .alreadyRead: "body already read: a stream can be read once"
    case .wrongLength(let expected, let actual):
      actual < expected
        ? "wrong length: the stream of the body ended after \(actual) of \(expected) bytes"
        : "wrong length: the stream of the body is longer than the \(expected) bytes announced"
    case .sourceFailed(let reason): "the stream of the body failed: \(reason)"
    case .unreadableFile(let path, let reason): "cannot read \(path.quoted): \(reason)"
    }
  }
}

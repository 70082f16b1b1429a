import NovaCore

/// The content of an upload: a file, bytes in memory, or a sequence of known length.
///
/// A file or bytes can be read again, so the upload continues if a bad network or a server loses bytes. A sequence is
/// read once, and at most two of its chunks are in memory.
///
/// ```swift
/// let upload = nova.media.upload(.file("/videos/holiday.mp4"), userId: me)
/// print(try await upload.value.url)
/// ```
public struct MediaSource: Sendable {
  /// Opens the source.
  ///
  /// - Throws: ``APIError`` `invalidArgument` if it cannot be read or is empty.
  let open: @Sendable () throws -> UploadReader

  /// A file, which is read in pieces while it is sent. Only the upload of a file can be resumed by another process.
  ///
  /// - Parameter path: the file's path, absolute or relative to the current directory.
  public static func file(_ path: String) -> MediaSource {
    MediaSource { try UploadReader(try UploadFile(path: path)) }
  }

  /// Bytes in memory.
  public static func bytes(_ bytes: [UInt8]) -> MediaSource {
    MediaSource {
      guard !bytes.isEmpty else { throw UploadRequest.refusal("the bytes must not be empty") }
      return try UploadReader(bytes)
    }
  }

  /// A sequence of chunks of any size.
  ///
  /// - Parameters:
  ///   - chunks: read once, and no faster than they are sent.
  ///   - length: the size of all chunks together, in bytes. The upload fails if the sequence is longer or shorter.
  public static func chunks<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks, length: Int) -> MediaSource
  where Chunks.Element == [UInt8] {
    let stream = HTTPBodyStream(chunks, length: max(length, 0))
    return MediaSource {
      guard length > 0 else { throw UploadRequest.refusal("length must be at least 1, got \(length)") }
      return try UploadReader(stream, length: length)
    }
  }

  /// A sequence of single bytes, such as those of a file handle.
  ///
  /// - Parameters:
  ///   - bytes: read once, and no faster than they are sent.
  ///   - length: the number of bytes. The upload fails if the sequence is longer or shorter.
  public static func byteSequence<Bytes: AsyncSequence & Sendable>(_ bytes: Bytes, length: Int) -> MediaSource
  where Bytes.Element == UInt8 {
    chunks(BytePieces(bytes: bytes), length: length)
  }
}

/// A sequence of bytes, in pieces of 64 KiB.
private struct BytePieces<Bytes: AsyncSequence & Sendable>: AsyncSequence, Sendable where Bytes.Element == UInt8 {
  let bytes: Bytes

  struct AsyncIterator: AsyncIteratorProtocol {
    var bytes: Bytes.AsyncIterator

    mutating func next() async throws -> [UInt8]? {
      var piece: [UInt8] = []
      piece.reserveCapacity(64 << 10)
      while piece.count < 64 << 10, let byte = try await bytes.next() { piece.append(byte) }
      return piece.isEmpty ? nil : piece
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: bytes.makeAsyncIterator()) }
}

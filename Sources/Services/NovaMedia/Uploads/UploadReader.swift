import NovaCore
import NovaCrypto

/// Reads the bytes of an upload chunk by chunk, and computes their digests in one pass: those of the chunks, and that
/// of the whole.
actor UploadReader {
  private enum Source {
    case file(UploadFile)
    case bytes([UInt8])
    case stream(StreamPieces)
  }

  /// How much of a file is in memory at a time.
  private static let pieceSize = 256 << 10

  /// The size of all bytes.
  nonisolated let count: Int
  /// Whether confirmed bytes can be read again.
  nonisolated let canGoBack: Bool
  /// The file, if the source is a file.
  nonisolated let file: UploadFile?

  private let source: Source
  private var whole: SHA256
  /// How many bytes the digest of the whole includes. Chunks never start after it.
  private var hashed = 0
  private var buffer: [UInt8] = []

  init(_ file: UploadFile) throws {
    (source, count, canGoBack, self.file) = (.file(file), file.identity.size, true, file)
    whole = try SHA256()
  }

  init(_ bytes: [UInt8]) throws {
    (source, count, canGoBack, file) = (.bytes(bytes), bytes.count, true, nil)
    whole = try SHA256()
  }

  init(_ stream: HTTPBodyStream, length: Int) throws {
    (source, count, canGoBack, file) = (.stream(StreamPieces(stream, length: length)), length, false, nil)
    whole = try SHA256()
  }

  /// The first bytes, for detecting the media type.
  func start() async throws -> [UInt8] {
    let range = 0..<min(MediaType.prefixLength, count)
    switch source {
    case .bytes(let bytes): return Array(bytes[range])
    case .stream(let pieces): return try await pieces.bytes(range)
    case .file(let file):
      var bytes = [UInt8](repeating: 0, count: range.count)
      try bytes.withUnsafeMutableBytes { try file.read(range, into: $0) }
      return bytes
    }
  }

  /// Reads a chunk.
  ///
  /// - Throws: ``APIError``; `CryptoError`; `CancellationError`.
  func chunk(_ range: Range<Int>) async throws -> UploadChunk {
    switch source {
    case .file(let file):
      let digest = try digest(of: file, range)
      return UploadChunk(range: range, body: file.body(range), digest: digest, digestSoFar: try soFar(range.upperBound))
    case .bytes(let bytes): return try chunk(range == 0..<count ? bytes : Array(bytes[range]), range)
    case .stream(let pieces): return try chunk(try await pieces.bytes(range), range)
    }
  }

  /// Releases the bytes before `position`, which the server has.
  func release(upTo position: Int) async {
    if case .stream(let pieces) = source { await pieces.release(upTo: position) }
  }

  /// Computes the digest of the bytes that an earlier process sent.
  ///
  /// - Returns: whether the bytes up to `offset` still have that digest.
  func catchUp(to position: Int, verifying digest: [UInt8]?, at offset: Int) async throws -> Bool {
    guard case .file(let file) = source else { return true }
    if let digest, offset > 0, offset <= count {
      try await hash(file, upTo: offset)
      guard try soFar(offset) == digest else { return false }
    }
    try await hash(file, upTo: position)
    return true
  }

  /// Adds the file's bytes up to `end` to the digest of the whole.
  private func hash(_ file: UploadFile, upTo end: Int) async throws {
    while hashed < end {
      try Task.checkCancellation()
      let piece = hashed..<min(hashed + Self.pieceSize, end)
      try fillBuffer(from: file, piece)
      takeWhole(buffer[..<piece.count], at: piece.lowerBound)
      // Hashing a large file takes minutes, and other tasks need the thread.
      await Task.yield()
    }
  }

  private func fillBuffer(from file: UploadFile, _ piece: Range<Int>) throws {
    if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: min(Self.pieceSize, count)) }
    try buffer.withUnsafeMutableBytes { try file.read(piece, into: $0) }
  }

  /// The digest of all bytes, after the last chunk was read.
  func wholeDigest() throws -> [UInt8] {
    guard hashed == count, let digest = try soFar(count) else {
      throw APIError(.invalidResponse, "the upload ended before its last byte", rpc: Self.rpc)
    }
    return digest
  }

  // MARK: Digests

  private func chunk(_ bytes: [UInt8], _ range: Range<Int>) throws -> UploadChunk {
    let digest = try SHA256.digest(of: bytes)
    takeWhole(bytes[...], at: range.lowerBound)
    return UploadChunk(range: range, body: .bytes(bytes), digest: digest, digestSoFar: try soFar(range.upperBound))
  }

  /// Reads a range of a file once, for its own digest and for that of the whole.
  private func digest(of file: UploadFile, _ range: Range<Int>) throws -> [UInt8] {
    // The digest of the first chunk is the digest of everything so far.
    let isFirst = range.lowerBound == 0 && hashed == 0
    var hash = try SHA256()
    var position = range.lowerBound
    while position < range.upperBound {
      try Task.checkCancellation()
      let piece = position..<min(position + Self.pieceSize, range.upperBound)
      try fillBuffer(from: file, piece)
      if !isFirst {
        buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<piece.count])) }
      }
      takeWhole(buffer[..<piece.count], at: position)
      position = piece.upperBound
    }
    if isFirst, let digest = try soFar(range.upperBound) { return digest }
    return try hash.finalize()
  }

  /// Adds bytes at an offset to the digest of the whole, unless it already includes them.
  private func takeWhole(_ bytes: ArraySlice<UInt8>, at offset: Int) {
    let known = hashed - offset
    guard known < bytes.count else { return }
    bytes.dropFirst(known).withUnsafeBytes { whole.update($0) }
    hashed = offset + bytes.count
  }

  /// The digest of everything up to `end`; nil if the digest does not end there.
  private func soFar(_ end: Int) throws -> [UInt8]? {
    guard hashed == end else { return nil }
    return try whole.copy().finalize()
  }

  private static let rpc = MediaService.uploadBytes.descriptor.id
}

/// A part of an upload's bytes, ready to be sent.
struct UploadChunk: Sendable {
  let range: Range<Int>
  let body: HTTPBody
  /// The SHA-256 digest of the chunk.
  let digest: [UInt8]
  /// The digest of all bytes up to the end of the chunk; nil if the upload went back.
  let digestSoFar: [UInt8]?

  /// The header fields that describe the chunk to the server.
  func headers(of count: Int, contentType: String) -> HTTPHeaders {
    [
      "Content-Type": contentType.isEmpty ? MediaType.octetStream.rawValue : contentType,
      "Content-Range": ContentRange(range, of: count).text,
      "Content-Digest": DigestField.text(digest),
    ]
  }
}

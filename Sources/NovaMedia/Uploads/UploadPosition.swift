import NovaCore

/// The progress of an upload, and checks of the sizes that the server reports.
///
/// A server that reports too little makes the client send bytes again, and one that reports too much would leave a hole.
/// The position therefore never exceeds the bytes that were sent, goes back a limited number of times and only if the
/// bytes can be read again, and is corrected a limited number of times.
struct UploadPosition {
  /// The default chunk size: 4 MiB.
  static let defaultChunkSize = 4 << 20
  /// The allowed chunk sizes: smaller ones cost too many requests, larger ones have no benefit.
  static let chunkSizes = 16 << 10...64 << 20

  /// How many times a server may lose bytes.
  static let maximumLosses = 3

  /// How many chunks smaller than the smallest one a server gets that takes no larger ones.
  static let maximumSmallChunks = 10_000

  let count: Int
  private(set) var chunkSize: Int
  /// The size that the server requests; 0 or less for none.
  private let requestedSize: Int64
  /// Whether bytes that were sent can be read again.
  private let canGoBack: Bool
  /// How many bytes the server has.
  private(set) var stored: Int
  /// How many bytes it can have.
  private var sent: Int
  private var corrections = 0
  private var losses = 0

  /// - Parameters:
  ///   - chunkSize: the size that the server requests; 0 or less for none.
  ///   - stored: how many bytes the server has from an earlier attempt.
  init(count: Int, chunkSize: Int64, stored: Int = 0, canGoBack: Bool = false) {
    self.count = count
    self.canGoBack = canGoBack
    self.stored = stored
    sent = stored
    requestedSize = chunkSize
    self.chunkSize =
      chunkSize <= 0
      ? Self.defaultChunkSize
      : min(max(Int(clamping: chunkSize), Self.chunkSizes.lowerBound), Self.chunkSizes.upperBound)
  }

  var isComplete: Bool { stored == count }

  /// One for each full chunk, and a few for a bad network.
  private var maximumCorrections: Int { 8 + (count + chunkSize - 1) / chunkSize }

  /// The server refused a chunk as too large: the next ones have the size that it requests, if that is smaller.
  ///
  /// - Returns: false if they cannot be smaller, or would be too many.
  mutating func takeRequestedSize() -> Bool {
    guard requestedSize > 0, requestedSize < Int64(chunkSize),
      (Int64(count) - 1) / requestedSize < Int64(Self.maximumSmallChunks)
    else { return false }
    chunkSize = Int(requestedSize)
    return true
  }

  /// The bytes of the next request.
  mutating func nextChunk() -> Range<Int> {
    let chunk = chunk(at: stored)
    sent = max(sent, chunk.upperBound)
    return chunk
  }

  /// The chunk that begins at an offset; empty at the end.
  func chunk(at offset: Int) -> Range<Int> { offset..<min(offset + chunkSize, count) }

  /// The server accepted the chunk.
  ///
  /// - Parameter size: how many bytes it reports to have; nil if it reports nothing.
  mutating func took(_ chunk: Range<Int>, reporting size: Int64?) throws {
    guard let size, size != chunk.upperBound else {
      stored = chunk.upperBound
      return
    }
    try move(to: size)
  }

  /// The server reports another position than the client has.
  mutating func move(to size: Int64) throws {
    try checkPossible(size)
    if canGoBack, size >= 0, size < stored {
      losses += 1
      guard losses <= Self.maximumLosses else {
        throw refusal("keeps losing bytes: it had \(stored) and now reports \(size); try again later")
      }
      stored = Int(size)
      return
    }
    guard size > stored else {
      let loss =
        size == stored
        ? "takes bytes and reports no more than the \(stored) it had" : "had \(stored) bytes and now reports \(size)"
      throw refusal(loss)
    }
    stored = Int(size)
    corrections += 1
    guard corrections <= maximumCorrections else {
      throw refusal(
        "keeps only a part of what it is sent: after \(corrections) corrections it has \(stored) of \(count) bytes")
    }
  }

  /// Continues after a pause, after the bytes that the server has.
  mutating func resume(at size: Int64) throws {
    try checkPossible(size)
    guard size >= 0, canGoBack || size >= stored else { throw refusal("had \(stored) bytes and now reports \(size)") }
    stored = Int(size)
  }

  private func checkPossible(_ size: Int64) throws {
    guard size <= count else { throw refusal("reports \(size) bytes, more than the file's \(count)") }
    guard size <= sent else { throw refusal("reports \(size) bytes, though only \(sent) were sent") }
  }

  /// - Parameter upload: the completed upload as the server reports it.
  func check(_ upload: Upload) throws {
    try Self.check(upload, of: count, by: MediaRPC.completeUpload.descriptor)
    guard !["pending", "uploading", "failed"].contains(upload.status) else {
      throw refusal("completed the upload and reports it as \(upload.status)", MediaRPC.completeUpload.descriptor.id)
    }
  }

  /// Compares what the server reports about a completed upload with the file. 0 is also what it reports if it reports nothing.
  ///
  /// - Parameter rpc: what was called.
  static func check(_ upload: Upload, of count: Int, by rpc: RPCDescriptor) throws {
    for size in [upload.fileSize, upload.uploadedSize] where size != 0 && size != count {
      throw APIError(
        .invalidResponse,
        "the upload was given up: the server completed the upload with \(size) of \(count) bytes", rpc: rpc.id)
    }
  }

  private func refusal(_ problem: String, _ rpc: String = MediaService.uploadBytes.descriptor.id) -> APIError {
    APIError(.invalidResponse, "the upload was given up: the server \(problem)", rpc: rpc)
  }
}

import NovaCore

/// The progress of an upload, and checks of the sizes that the server reports.
///
/// A server that reports too little makes the client send bytes again. One that reports too much would cause a hole.
/// Therefore, the position never exceeds the bytes that were sent. It goes back a limited number of times, and only if
/// the bytes can be read again. It is corrected a limited number of times.
struct UploadPosition {
  /// The default chunk size: 4 MiB.
  static let defaultChunkSize = 4 << 20
  /// The allowed chunk sizes: smaller ones cost too many requests, larger ones have no benefit.
  static let chunkSizes = 16 << 10...64 << 20

  /// The maximum number of times that a server may lose bytes.
  static let maximumLosses = 3

  /// The maximum number of chunks below the minimum size, for a server that accepts no larger ones.
  static let maximumSmallChunks = 10_000

  let count: Int
  private(set) var chunkSize: Int
  /// The size that the server requests; 0 or less if it requests none.
  private let requestedSize: Int64
  /// Whether bytes that were sent can be read again.
  private let canGoBack: Bool
  /// The number of bytes that the server has.
  private(set) var stored: Int { didSet { furthest = max(furthest, stored) } }
  /// The maximum number of bytes that the server had. Only more than that is progress.
  private(set) var furthest: Int
  /// The number of bytes that the server may have.
  private var sent: Int
  private var corrections = 0
  private var losses = 0

  /// - Parameters:
  ///   - chunkSize: the size that the server requests; 0 or less if it requests none.
  ///   - stored: the number of bytes that the server has from an earlier attempt.
  ///   - sent: the number of bytes that it confirmed, although it may report fewer now.
  init(count: Int, chunkSize: Int64, stored: Int = 0, sent: Int = 0, canGoBack: Bool = false) {
    self.count = count
    self.canGoBack = canGoBack
    self.stored = stored
    (furthest, self.sent) = (stored, max(stored, sent))
    requestedSize = chunkSize
    self.chunkSize =
      chunkSize <= 0
      ? Self.defaultChunkSize
      : min(max(Int(clamping: chunkSize), Self.chunkSizes.lowerBound), Self.chunkSizes.upperBound)
  }

  var isComplete: Bool { stored == count }

  /// One for each full chunk, and a few for bad networks.
  private var maximumCorrections: Int { 8 + (count + chunkSize - 1) / chunkSize }

  /// Called when the server refused a chunk as too large: the next ones get the size that it requests, if that is
  /// smaller.
  ///
  /// - Returns: false if chunks cannot be smaller, or there would be too many.
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

  /// The chunk at an offset; empty at the end.
  func chunk(at offset: Int) -> Range<Int> { offset..<min(offset + chunkSize, count) }

  /// Called when the server accepted the chunk.
  ///
  /// - Parameter size: the number of bytes that it reports to have; nil if it reports none.
  mutating func took(_ chunk: Range<Int>, reporting size: Int64?) throws {
    guard let size, size != chunk.upperBound else {
      stored = chunk.upperBound
      return
    }
    try move(to: size)
  }

  /// Moves to the position that the server reports, if it differs from the client's.
  mutating func move(to size: Int64) throws {
    try checkPossible(size)
    if canGoBack, size >= 0, size < stored {
      try countLoss(size)
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

  /// Continues after a pause, or with another URL, after the bytes that the server has.
  ///
  /// - Parameter countsLosses: whether going back counts as a loss, the number of which is limited.
  mutating func resume(at size: Int64, countsLosses: Bool = false) throws {
    try checkPossible(size)
    guard size >= 0, canGoBack || size >= stored else { throw refusal("had \(stored) bytes and now reports \(size)") }
    if countsLosses, size < stored { try countLoss(size) }
    stored = Int(size)
  }

  private mutating func countLoss(_ size: Int64) throws {
    losses += 1
    guard losses <= Self.maximumLosses else {
      throw refusal("keeps losing bytes: it had \(stored) and now reports \(size); try again later")
    }
  }

  private func checkPossible(_ size: Int64) throws {
    guard size <= count else { throw refusal("reports \(size) bytes, more than the file's \(count)") }
    guard size <= sent else { throw refusal("reports \(size) bytes, though only \(sent) were sent") }
  }

  /// Compares the server's report about a completed upload with the file. A missing size proves nothing.
  ///
  /// - Parameter rpc: the RPC that was called.
  static func check(_ reported: ReportedUpload, of count: Int, by rpc: RPCDescriptor) throws {
    let fileSize = reported.upload.fileSize
    for size in [fileSize == 0 ? nil : fileSize, reported.storedSize].compactMap(\.self) where size != count {
      throw APIError(
        .invalidResponse,
        "the upload is not complete", reason: "the server completed the upload with \(size) of \(count) bytes",
        rpc: rpc.id)
    }
  }

  private func refusal(_ problem: String) -> APIError {
    APIError(
      .invalidResponse, "the upload was given up", reason: "the server \(problem)",
      rpc: MediaService.uploadBytes.descriptor.id)
  }
}

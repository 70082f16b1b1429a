import NovaCore

/// Reads a file from a position to its end, with as many requests as necessary.
struct MediaReader {
  /// A step of reading.
  enum Piece {
    /// The next bytes start at this position, and any bytes after it are void. Comes before the first bytes, and
    /// whenever the file has changed or bytes turn out to be wrong.
    case begin(MediaHead, at: Int)
    case bytes([UInt8])
  }

  private let request: MediaRequest
  /// Whether bytes that were already returned may be voided.
  private let mayRewind: Bool
  /// What the server reports about the file, as far as known.
  private(set) var head: MediaHead?
  /// What the server last announced, even about another version.
  private var announced: MediaHead?
  /// Whether the existing bytes are right only if the server reports the digest of ``head``.
  private var needsDigest: Bool
  /// The position of the next byte. The bytes before it are right, as far as known.
  private(set) var position: Int
  private var hasBegun = false
  /// Whether to request only the whole file from now on, because the server's ranges are useless.
  private var wantsWhole = false
  private var isOver = false

  /// The first response, if it has already arrived.
  private var first: MediaBody?
  private var body: MediaBody?
  private var chunks: HTTPBody.AsyncIterator?
  /// How many bytes of the body the reader already has, because the server sends the same file from its beginning.
  private var surplus = 0
  private var bodyDigest: DigestCheck?
  private var fileDigest: DigestCheck?

  /// The furthest position so far. Only bytes beyond it count as progress.
  private var furthest: Int
  private var failures = 0
  private var lastProgress: ContinuousClock.Instant

  /// - Parameters:
  ///   - position: the number of existing bytes.
  ///   - head: what is known about them; nil if nothing is.
  ///   - needsDigest: whether the bytes can be from another file with an equal validator, so that only the digest of
  ///     the whole file proves that they are right.
  ///   - first: the response to the first request, if it was already sent.
  init(
    _ request: MediaRequest, from position: Int = 0, of head: MediaHead? = nil, needsDigest: Bool = false,
    first: MediaBody? = nil, mayRewind: Bool
  ) {
    self.request = request
    self.first = first
    self.mayRewind = mayRewind
    self.needsDigest = needsDigest
    self.position = head?.validator == nil ? 0 : position
    self.head = head
    announced = head
    furthest = self.position
    lastProgress = request.client.clock.now
  }

  /// Whether all bytes match the digest of the whole file, if the server sent one.
  private(set) var isVerified = false
  /// Whether the bytes don't match the server's digest, so that all of them are unusable.
  private(set) var hasWrongDigest = false
  /// Whether the server contradicts what it reported about the existing bytes.
  private(set) var isContradicted = false
  /// Why the last ``Piece/begin(_:at:)`` voided existing bytes.
  private(set) var rewindReason = DownloadRestart.Reason.noValidator

  /// The next piece; nil at the end of the file.
  ///
  /// - Throws: ``APIError``.
  mutating func next() async throws -> Piece? {
    while !isOver {
      if body == nil {
        if let piece = try await open() { return piece }
        continue
      }
      let chunk: [UInt8]?
      do {
        chunk = try await chunks?.next()
      } catch let error as APIError where error.transport != nil && error.code != .cancelled {
        try await recover(from: error)
        continue
      }
      if let chunk {
        if let bytes = try await take(chunk) { return .bytes(bytes) }
      } else if let piece = try await finishBody() {
        return piece
      }
    }
    return nil
  }

  // MARK: Requests

  /// Sends the next request. Returns a piece if the new bytes don't continue the existing ones.
  private mutating func open() async throws -> Piece? {
    if let first {
      self.first = nil
      return try begin(first)
    }
    let continuation = Continuation(
      position: position, known: head, announced: announced, needsDigest: needsDigest)
    let (verdict, response) = try await request.answer(continuation, wantsWhole: wantsWhole)
    switch verdict {
    case .body(let head, let bytes): return try begin(MediaBody(response, head: head, bytes))
    case .complete:
      isOver = true
      try await checkFile()
      guard !hasBegun, let head else { return nil }
      return .begin(head, at: position)
    case .changed:
      try forget(.fileChanged)
      return nil
    case .unclear:
      wantsWhole = true
      return nil
    case .contradiction(let problem):
      if position > 0, !mayRewind { try forget(.fileChanged) }
      isContradicted = true
      throw MediaRequest.failure(problem, response)
    case .unusable(let problem): throw MediaRequest.failure(problem, response)
    }
  }

  private mutating func begin(_ body: MediaBody) throws -> Piece? {
    var body = body
    if !body.bytes.isSame || position == 0 {
      if position > 0 { try forget(reason(for: body.head)) }
      head = body.head
      fileDigest = try body.head.digest.map { try DigestCheck($0) }
    } else {
      // A later response may report more or less about the same file.
      body.head.total = body.head.total ?? head?.total
      body.head.contentType = body.head.contentType ?? head?.contentType
      body.head.digest = body.head.digest ?? head?.digest
      // A part need not repeat the proof that it is from the same file.
      body.head.validator = body.head.validator ?? head?.validator
      body.head.etag = body.head.etag ?? head?.etag
      body.head.landing = body.head.landing ?? head?.landing
      head = body.head
    }
    announced = head
    // From now on, all requests are for one URL.
    needsDigest = false
    surplus = position - body.bytes.start
    bodyDigest = try body.digest.map { try DigestCheck($0) }
    chunks = body.chunks.makeAsyncIterator()
    self.body = body
    guard !hasBegun || position == 0 else { return nil }
    hasBegun = true
    return .begin(body.head, at: position)
  }

  /// Why another whole file replaces the bytes.
  private func reason(for other: MediaHead) -> DownloadRestart.Reason {
    guard other.validator != nil else { return .noValidator }
    let isElsewhere = other.validator == head?.validator && head?.isAt(other.landing) == false
    return isElsewhere ? .differentURL : .fileChanged
  }

  /// Starts over, because the file is not the one that the bytes are from.
  private mutating func forget(_ reason: DownloadRestart.Reason) throws {
    rewindReason = reason
    guard position == 0 || mayRewind || !hasBegun else {
      throw APIError(
        .failedPrecondition, "cannot continue", reason: "the file has changed after \(position) bytes were read",
        advice: "read it again",
        rpc: MediaService.downloadBytes.descriptor.id)
    }
    close()
    (head, position, fileDigest, needsDigest) = (nil, 0, nil, false)
  }

  private mutating func close() { (body, chunks, bodyDigest, surplus) = (nil, nil, nil, 0) }

  // MARK: Bytes

  /// Processes a chunk of the body; nil if all of its bytes already exist.
  private mutating func take(_ chunk: [UInt8]) async throws -> [UInt8]? {
    await bodyDigest?.take(chunk)
    var bytes = chunk
    if surplus > 0 {
      let count = min(surplus, chunk.count)
      surplus -= count
      if count == chunk.count { return nil }
      bytes.removeFirst(count)
    }
    if let end = body?.bytes.end ?? head?.total, bytes.count > end - position {
      throw APIError(
        .invalidResponse, "cannot download", reason: "the server sends more than the \(end) bytes that it announced",
        rpc: MediaService.downloadBytes.descriptor.id)
    }
    await fileDigest?.take(bytes)
    position += bytes.count
    if position > furthest {
      (furthest, failures) = (position, 0)
      lastProgress = request.client.clock.now
    }
    return bytes
  }

  /// Handles the end of a body. The file is complete unless the server sent only part of what was requested.
  private mutating func finishBody() async throws -> Piece? {
    let start = min(body?.bytes.start ?? 0, position)
    let isIntact = try await bodyDigest?.matches() ?? true
    let end = body?.bytes.end
    // All of the body's bytes already existed, and more.
    let isBehind = surplus > 0
    // Only the whole file, or a part with a known size, shows where the file ends.
    let mayBePart = body?.bytes.isPart == true && head?.total == nil
    close()
    guard isIntact else { return try await rewind(to: start) }
    let isShort = position < end ?? position || position < head?.total ?? position || mayBePart || isBehind
    guard isShort else {
      isOver = true
      if head?.total == nil { head?.total = position }
      try await checkFile()
      return nil
    }
    if failures > 0 || position < furthest || position < end ?? position || isBehind {
      let problem =
        isBehind
        ? "the response ended before byte \(position)"
        : "the response ended after \(position) of \(end ?? head?.total ?? position) bytes"
      try await recover(from: lost(problem))
    } else {
      // The server sends the file in parts. A part without progress counts as a failure.
      failures += 1
    }
    return nil
  }

  /// Voids the bytes of a body with a wrong digest.
  private mutating func rewind(to start: Int) async throws -> Piece? {
    let error = lost("the bytes from \(start) on do not have the digest that the server sent with them")
    guard mayRewind, let head else { throw error }
    (position, fileDigest, rewindReason) = (start, nil, .wrongDigest)
    try await recover(from: error)
    return .begin(head, at: start)
  }

  private mutating func checkFile() async throws {
    if let problem = request.expected?.problem(contentType: head?.contentType, byteCount: position) {
      isContradicted = true
      throw APIError(
        .invalidResponse, "cannot download", reason: problem, rpc: MediaService.downloadBytes.descriptor.id)
    }
    guard let check = fileDigest else { return }
    fileDigest = nil
    guard try await check.matches() else {
      hasWrongDigest = true
      throw MediaReader.wrongDigest
    }
    isVerified = true
  }

  static let wrongDigest = APIError(
    .invalidResponse,
    "cannot download", reason: "the file's bytes do not have the digest that the server sent",
    advice: "nothing was kept, download it again",
    rpc: MediaService.downloadBytes.descriptor.id)

  // MARK: Failures

  private func lost(_ problem: String) -> APIError {
    let error = TransportError(.connectionLost, problem, requestMayHaveLeft: true)
    return APIError(
      .networkError, "cannot download", reason: problem, rpc: MediaService.downloadBytes.descriptor.id, transport: error
    )
  }

  /// Waits for the next request after a body ended early.
  private mutating func recover(from error: APIError) async throws {
    close()
    failures += 1
    if position > 0, head?.validator == nil {
      guard mayRewind else {
        var error = error
        error.text.add(advice: "the server sends no strong ETag with which reading could continue, so read it again")
        throw error
      }
      // Without proof that the file is the same, all of it is read again.
      try forget(.noValidator)
    }
    try await request.wait(after: error, failures: failures, since: lastProgress)
  }
}

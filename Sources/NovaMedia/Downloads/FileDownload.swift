import NovaCore

/// One download to a file.
struct FileDownload {
  private var request: MediaRequest
  private let url: HTTPURL
  private let path: String
  /// What the caller calls the file; see ``PartRecord/source``.
  private let source: String?
  private let part: PartFile
  /// Whether a file that is at the path when the bytes are there is replaced.
  private let replaces: Bool
  private var progress: DownloadReport
  /// Whether the bytes in the part are those that the server has. Until then they can be of another file, and stay.
  private var hasBegun = false

  /// - Parameters:
  ///   - source: what identifies the file besides its URL; nil for nothing.
  ///   - replaces: whether a file that is there is replaced.
  ///   - writing: writes bytes to a descriptor; replaced by tests.
  /// - Throws: ``APIError`` for a URL or a path that cannot be used; nothing was sent then.
  init(
    _ request: MediaRequest, to path: String, source: String? = nil, replaces: Bool = true,
    onProgress: (@Sendable (DownloadProgress) -> Void)? = nil,
    writing: @escaping PartFile.Writing = PartFile.write
  ) throws {
    self.request = request
    self.path = path
    self.source = source
    self.replaces = replaces
    url = try request.place()
    part = try PartFile(for: path, writing: writing)
    progress = DownloadReport(clock: request.client.clock, callback: onProgress)
  }

  /// Downloads the file. It may be called once.
  ///
  /// - Throws: ``APIError``.
  mutating func run() async throws -> DownloadedFile {
    do {
      let head = try await receive()
      try await part.publish(replacing: replaces)
      progress.finish()
      return DownloadedFile(
        path: path, byteCount: part.size, contentType: head.contentType, etag: head.etag,
        resumedFrom: progress.current.resumedFrom, restart: progress.current.restart)
    } catch {
      // Without a validator, the next download would start over.
      part.keep(ifUsable: !hasBegun || part.canContinue)
      throw error
    }
  }

  /// The next piece. After a failure, only bytes are kept that no digest of the server contradicts.
  private func next(_ reader: inout MediaReader) async throws -> MediaReader.Piece? {
    do { return try await reader.next() } catch {
      if reader.hasWrongDigest {
        part.discard()
      } else if hasBegun, reader.position < part.size {
        try part.truncate(to: reader.position)
      }
      if reader.isContradicted, part.size > 0, var error = error as? APIError {
        error.message +=
          "; download it again later, or remove \("\(path).part".quoted) to download it from the beginning"
        throw error
      }
      throw error
    }
  }

  /// Receives what is missing, and returns what the server reports about the file.
  private mutating func receive() async throws -> MediaHead {
    let owner = await request.identify()
    let record = part.record()
    let use = record?.use(for: url, source: source, owner: owner)
    let mismatch = record.map { $0.isFor(owner) } ?? true ? DownloadRestart.Reason.differentURL : .differentCaller
    var reader = MediaReader(
      request, from: part.size, of: use == nil ? nil : record?.head, needsDigest: use == .withDigest, mayRewind: true)
    var head = MediaHead()
    while let piece = try await next(&reader) {
      switch piece {
      case .begin(let reported, let position):
        head = reported
        if position < part.size {
          let reason = use == .withValidator || hasBegun ? reader.rewindReason : mismatch
          progress.restart(DownloadRestart(reason: reason, byteCount: part.size - position))
        }
        hasBegun = true
        if position == 0 {
          try part.begin(PartRecord(url: url, source: source, owner: owner, head: reported))
        } else {
          try part.truncate(to: position)
        }
        progress.begin(at: position, total: reported.total)
      case .bytes(let bytes):
        try part.write(bytes)
        progress.add(bytes.count)
      }
    }
    // A later response may have brought it.
    if let digest = reader.head?.digest ?? head.digest, !reader.isVerified, try await !part.matches(digest) {
      part.discard()
      throw MediaReader.wrongDigest
    }
    return head
  }
}

/// Reports the progress of a download, about ten times a second.
struct DownloadReport {
  private static let interval = Duration.milliseconds(100)

  private let clock: any CallClock
  private let callback: (@Sendable (DownloadProgress) -> Void)?
  private(set) var current = DownloadProgress(receivedBytes: 0)
  private var rate = UploadRate()
  private var next: ContinuousClock.Instant?
  private var hasBegun = false

  init(clock: any CallClock, callback: (@Sendable (DownloadProgress) -> Void)?) {
    self.clock = clock
    self.callback = callback
  }

  /// The bytes that follow begin at this position.
  mutating func begin(at position: Int, total: Int?) {
    current.receivedBytes = position
    current.totalBytes = total
    if !hasBegun || position < current.resumedFrom { current.resumedFrom = position }
    hasBegun = true
    report(at: clock.now)
  }

  /// Bytes are discarded; the next report has the reason.
  mutating func restart(_ restart: DownloadRestart) { current.restart = restart }

  mutating func add(_ count: Int) {
    current.receivedBytes += count
    guard callback != nil else { return }
    let now = clock.now
    if let next, now < next { return }
    report(at: now)
  }

  /// All bytes are in their place.
  mutating func finish() {
    current.totalBytes = current.receivedBytes
    report(at: clock.now)
  }

  private mutating func report(at now: ContinuousClock.Instant) {
    guard let callback else { return }
    next = now.advanced(by: Self.interval)
    rate.note(current.receivedBytes, at: now)
    current.bytesPerSecond = rate.bytesPerSecond
    callback(current)
  }
}

import NovaCore

/// One download to a file.
struct FileDownload {
  private var request: MediaRequest
  private let url: HTTPURL
  private let path: String
  /// The caller's name for the file; see ``PartRecord/source``.
  private let source: String?
  private let part: PartFile
  /// Whether to replace a file that exists at the path when the download completes.
  private let replaces: Bool
  private var progress: DownloadReport
  /// Whether the bytes in the part file are known to be the server's. Until then, they may be from another file, and
  /// are kept.
  private var hasBegun = false

  /// - Parameters:
  ///   - source: identifies the file together with its URL; nil for none.
  ///   - replaces: whether to replace an existing file.
  ///   - writing: writes bytes to a descriptor; replaced by tests.
  /// - Throws: ``APIError`` for an invalid URL or path; nothing is sent then.
  init(
    _ request: MediaRequest, to path: String, source: String? = nil, replaces: Bool = true,
    onProgress: (@Sendable (DownloadProgress) -> Void)? = nil,
    writing: @escaping PartFile.Writing = SystemIO.write
  ) throws {
    self.request = request
    self.path = path
    self.source = source
    self.replaces = replaces
    url = try request.place()
    part = try PartFile(for: path, writing: writing)
    progress = DownloadReport(clock: request.client.clock, callback: onProgress)
  }

  /// Downloads the file. Call it only once.
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
      // Without a validator, the next download would have to start over anyway.
      part.keep(ifUsable: !hasBegun || part.canContinue)
      throw error
    }
  }

  /// The next piece. After a failure, bytes are kept only if they don't contradict a digest from the server.
  private func next(_ reader: inout MediaReader) async throws -> MediaReader.Piece? {
    do { return try await reader.next() } catch {
      if reader.hasWrongDigest {
        part.discard()
      } else if hasBegun, reader.position < part.size {
        try part.truncate(to: reader.position)
      }
      if reader.isContradicted, part.size > 0, var error = error as? APIError {
        error.text.add(
          advice: "download it again later, or remove \("\(path).part".quoted) to download it from the beginning")
        throw error
      }
      throw error
    }
  }

  /// Receives the missing bytes, and returns what the server reports about the file.
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
    // A later response may have contained the digest.
    if let digest = reader.head?.digest ?? head.digest, !reader.isVerified, try await !part.matches(digest) {
      part.discard()
      throw MediaReader.wrongDigest
    }
    return head
  }
}

/// Reports the progress of a download, about ten times per second.
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

  /// Starts at the position of the next bytes.
  mutating func begin(at position: Int, total: Int?) {
    current.receivedBytes = position
    current.totalBytes = total
    if !hasBegun || position < current.resumedFrom { current.resumedFrom = position }
    hasBegun = true
    report(at: clock.now)
  }

  /// Records that bytes were discarded; the next report contains the reason.
  mutating func restart(_ restart: DownloadRestart) { current.restart = restart }

  mutating func add(_ count: Int) {
    current.receivedBytes += count
    guard callback != nil else { return }
    let now = clock.now
    if let next, now < next { return }
    report(at: now)
  }

  /// Reports that all bytes are in place.
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

import NovaCore

/// Sends the bytes of one upload that the server has started, and completes it.
struct UploadEngine: Sendable {
  /// How often in a row a chunk is sent that arrives with another digest.
  static let maximumMismatches = 3

  let service: MediaService
  let handle: MediaUpload
  let reader: UploadReader
  let ledger: UploadLedger
  /// Asks the server for another place for the bytes, under the key of the upload.
  let renew: Renewal
  private(set) var url: String
  /// The upload at the server. A server that does not recognize keys starts another upload when it renews a URL.
  let identity: Locked<UploadIdentity>
  /// Whether the server had all bytes before: then an earlier completion failed, or was never asked for.
  let hadAllBytes: Bool
  private let request: StartUploadRequest
  private let reports: UploadReports
  private(set) var position: UploadPosition
  private var prepared: (range: Range<Int>, task: Task<UploadChunk, any Error>)?
  /// How often the chunk at the position arrived with another digest.
  private var mismatches = 0
  /// How often the URL was renewed since the server has confirmed more bytes than ever before.
  private var renewals = 0
  private static let maximumRenewals = 2
  /// How far apart renewals without progress are.
  private static let renewing = Pacing(
    Backoff(base: .milliseconds(500), maximum: .seconds(10)), floor: .milliseconds(250))

  typealias Renewal = @Sendable () async throws -> (UploadRecord.Start, url: String)

  var uploadId: String { identity.withLock { $0.uploadId } }

  /// - Parameters:
  ///   - stored: how many bytes the server has from an earlier process.
  ///   - confirmed: how many it has confirmed to that.
  init(
    _ service: MediaService, handle: MediaUpload, reader: UploadReader, ledger: UploadLedger,
    request: StartUploadRequest, start: UploadRecord.Start, url: String, stored: Int = 0, confirmed: Int = 0,
    renew: @escaping Renewal
  ) {
    self.service = service
    self.handle = handle
    self.reader = reader
    self.ledger = ledger
    self.request = request
    hadAllBytes = stored > 0 && stored == reader.count
    let identity = Locked(UploadIdentity(request, start))
    (self.identity, self.url, self.renew) = (identity, url, renew)
    position = UploadPosition(
      count: reader.count, chunkSize: start.chunkSize, stored: stored, sent: confirmed, canGoBack: reader.canGoBack)
    reports = UploadReports { size in
      _ = try await service.step("progress-\(size)").updateUploadProgress(
        uploadId: identity.withLock { $0.uploadId }, uploadedSize: Int64(size))
    }
  }

  /// Sends what the server does not have, and completes the upload.
  mutating func run() async throws -> Upload {
    defer {
      prepared?.task.cancel()
      reports.stop()
    }
    handle.begin(position.stored, of: reader.count)
    repeat {
      while !position.isComplete { try await sendNext() }
      if try await handle.waitWhilePaused() { try await findPosition() }
    } while !position.isComplete || !handle.beginCompleting()
    try await reports.finish(reader.count)
    return try await complete(try await reader.wholeDigest())
  }

  // MARK: Chunks

  private mutating func sendNext() async throws {
    if try await handle.waitWhilePaused() { return try await findPosition() }
    let chunk = try await chunk(position.nextChunk())
    let next = position.chunk(at: chunk.range.upperBound)
    if !next.isEmpty { prepare(next) }
    ledger.willSend(upTo: chunk.range.upperBound)
    do {
      try reader.file?.checkUnchanged()
      let answer = try await put(chunk)
      try reader.file?.checkUnchanged()
      let furthest = position.furthest
      try position.took(chunk.range, reporting: answer.storedSize)
      mismatches = 0
      if position.furthest > furthest { renewals = 0 }
      if answer.storedSize == nil { reports.report(position.stored) }
    } catch is UploadPause {
      _ = try await handle.waitWhilePaused()
      try await findPosition()
    } catch let error as APIError {
      // The cause of a body that could not be read.
      try reader.file?.checkUnchanged()
      try await recover(from: error)
    }
    await confirm(chunk)
  }

  private func put(_ chunk: UploadChunk) async throws -> ChunkAnswer {
    let (service, url) = (key(for: chunk.range.lowerBound), url)
    let headers = chunk.headers(of: reader.count, contentType: request.contentType)
    let response = try await handle.interruptible {
      try await service.client.put(
        chunk.body, to: url, headers: headers, for: MediaService.uploadBytes.descriptor, options: service.options)
    }
    let answer = try ChunkAnswer(response)
    if let upload = answer.upload { try check(upload, by: MediaService.uploadBytes.descriptor) }
    return answer
  }

  /// A key of the caller's own stands for the first step; the same chunk sent again is another call.
  private func key(for offset: Int) -> MediaService {
    let first = service.step("bytes")
    let ofChunk = offset == 0 ? first : first.step("\(offset)")
    return mismatches == 0 ? ofChunk : ofChunk.step("again\(mismatches)")
  }

  /// Continues after a chunk that was refused, if that can help.
  private mutating func recover(from error: APIError) async throws {
    switch error.concernsAnotherCall ? nil : error.httpStatus {
    case 409:
      // An earlier attempt whose response was lost may have delivered some or all of the bytes.
      var size = error.uploadedSize ?? Int64(position.stored)
      if size == position.stored { size = try await storedSize(insteadOf: error) }
      guard size != position.stored else { throw error }
      try position.move(to: size)
      mismatches = 0
    case 422:
      mismatches += 1
      guard mismatches < Self.maximumMismatches else {
        var error = error
        error.message =
          "the server received other bytes than were sent, \(mismatches) times in a row: something on the way changes "
          + "them; check proxies and the network"
        throw error
      }
    case 413 where position.takeRequestedSize(): break
    case 404, 410:
      guard !error.isFromAnotherServer else { throw error }
      // Gone is the upload, or only the place for its bytes.
      _ = try await service.existingUpload(uploadId)
      try await renewURL(insteadOf: error)
    default:
      guard UploadURLExpiry.isReported(by: error, of: url) else { throw error }
      try await renewURL(insteadOf: error)
    }
  }

  /// Asks for another place for the bytes after the present one has expired, and continues there.
  private mutating func renewURL(insteadOf error: APIError) async throws {
    renewals += 1
    guard renewals <= Self.maximumRenewals else {
      // The gateway does not know that its storage has lost the upload. Under the same key, it would never be found again.
      if UploadGone.isReported(by: error) { throw UploadGone.error(uploadId, renewedInVain: Self.maximumRenewals) }
      var error = error
      error.message =
        "the server refuses the bytes, and issued \(Self.maximumRenewals) other URLs for them in vain; try again later"
      throw error
    }
    if renewals > 1 {
      let wait = Self.renewing.wait(after: renewals - 1, random: service.client.random)
      try await handle.clock.sleep(until: handle.clock.now.advanced(by: wait), tolerance: nil)
    }
    let (start, url): (UploadRecord.Start, String)
    do { (start, url) = try await renew() } catch let failure as APIError where failure.httpStatus != nil {
      throw Self.notRenewed(failure, insteadOf: error)
    }
    if !start.uploadId.hasSameBytes(as: uploadId) {
      // The bytes that were sent are in the other upload.
      guard reader.canGoBack else { throw error }
    }
    identity.withLock { $0 = UploadIdentity(request, start) }
    self.url = url
    try await findPosition(countsLosses: true)
  }

  /// The URL expired, and the server did not issue another one.
  private static func notRenewed(_ failure: APIError, insteadOf error: APIError) -> APIError {
    // A refusal of the request says less than that of the bytes, and would end the upload.
    if [.invalidArgument, .permissionDenied, .failedPrecondition].contains(failure.code) { return error }
    var failure = failure
    failure.message = "the URL for the bytes has expired, and the server issued no other one; try again later"
    return failure
  }

  private func confirm(_ chunk: UploadChunk) async {
    handle.confirm(position.stored)
    await reader.release(upTo: position.stored)
    guard position.stored == chunk.range.upperBound, let digest = chunk.digestSoFar else { return }
    ledger.confirmed(position.stored, digest: digest)
  }

  // MARK: Reading ahead

  /// The chunk of a range: the one that was prepared while the last one was sent, if it is that.
  private mutating func chunk(_ range: Range<Int>) async throws -> UploadChunk {
    if prepared?.range != range {
      prepared?.task.cancel()
      // It shares the source.
      _ = await prepared?.task.result
      prepare(range)
    }
    guard let task = prepared?.task else { throw CancellationError() }
    prepared = nil
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  private mutating func prepare(_ range: Range<Int>) {
    let reader = reader
    prepared = (range, Task { try await reader.chunk(range) })
  }

  // MARK: The server's position

  /// Asks how many bytes the server has, after a pause or at another place.
  private mutating func findPosition(countsLosses: Bool = false) async throws {
    let upload = try await service.existingUpload(uploadId).upload
    try check(upload, by: MediaRPC.getUpload.descriptor)
    try position.resume(at: upload.uploadedSize, countsLosses: countsLosses)
    handle.confirm(position.stored)
  }

  /// How many bytes the server has; if it does not report that, the conflict is thrown.
  private func storedSize(insteadOf conflict: APIError) async throws -> Int64 {
    do {
      let upload = try await service.existingUpload(uploadId).upload
      try check(upload, by: MediaRPC.getUpload.descriptor)
      return upload.uploadedSize
    } catch let error as APIError where error.code != .cancelled && error.code != .timeout && !UploadGone.isGone(error)
    {
      throw conflict
    }
  }
}

extension MediaService {
  /// The service for a later step of the same upload: a key of the caller's own stands for the first one.
  func step(_ name: String) -> MediaService {
    with { options in options.idempotencyKey = options.idempotencyKey.map { "\($0)-\(name)" } }
  }
}

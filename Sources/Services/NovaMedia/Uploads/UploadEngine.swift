import NovaCore

/// Sends the bytes of one upload that the server has started, and completes it.
struct UploadEngine: Sendable {
  /// The maximum number of consecutive times that a chunk may arrive with a wrong digest.
  static let maximumMismatches = 3

  let service: MediaService
  let control: UploadControl
  let reader: UploadReader
  let ledger: UploadLedger
  /// Requests another URL for the bytes, with the upload's key.
  let renew: Renewal
  private(set) var url: String
  /// The upload at the server. A server that does not support keys starts another upload when it renews a URL.
  let identity: Locked<UploadIdentity>
  /// Whether the server already had all bytes: then an earlier completion failed, or was never requested.
  private let hadAllBytes: Bool
  private let request: StartUploadRequest
  private let reports: UploadReports
  private(set) var position: UploadPosition
  private var prepared: (range: Range<Int>, task: Task<UploadChunk, any Error>)?
  /// How often the current chunk arrived with a wrong digest.
  private var mismatches = 0
  /// How often the URL was renewed since the last progress.
  private var renewals = 0
  private static let maximumRenewals = 2
  /// The waits between renewals without progress.
  private static let renewing = Pacing(
    Backoff(base: .milliseconds(500), maximum: .seconds(10)), floor: .milliseconds(250))

  typealias Renewal = @Sendable () async throws -> (UploadRecord.Start, url: String)

  var uploadId: String { identity.withLock { $0.uploadId } }

  /// - Parameters:
  ///   - stored: the number of bytes that the server has from an earlier process.
  ///   - confirmed: the number of bytes that it confirmed to that process.
  init(
    _ service: MediaService, control: UploadControl, reader: UploadReader, ledger: UploadLedger,
    request: StartUploadRequest, start: UploadRecord.Start, url: String, stored: Int = 0, confirmed: Int = 0,
    renew: @escaping Renewal
  ) {
    self.service = service
    self.control = control
    self.reader = reader
    self.ledger = ledger
    self.request = request
    hadAllBytes = stored > 0 && stored == reader.count
    let identity = Locked(UploadIdentity(request: request, start: start))
    (self.identity, self.url, self.renew) = (identity, url, renew)
    position = UploadPosition(
      count: reader.count, chunkSize: start.chunkSize, stored: stored, sent: confirmed, canGoBack: reader.canGoBack)
    reports = UploadReports { size in
      _ = try await service.step("progress-\(size)").updateUploadProgress(
        uploadId: identity.withLock { $0.uploadId }, uploadedSize: Int64(size))
    }
  }

  /// Sends the missing bytes, and completes the upload.
  mutating func run() async throws -> Upload {
    defer { prepared?.task.cancel() }
    control.begin(position.stored, of: reader.count)
    repeat {
      while !position.isComplete { try await sendNext() }
      if try await control.waitWhilePaused() { try await findPosition() }
    } while !position.isComplete || !control.beginCompleting()
    try await reports.finish(reader.count)
    return try await complete(try await reader.wholeDigest(), hadAllBytes: hadAllBytes)
  }

  // MARK: Chunks

  private mutating func sendNext() async throws {
    if try await control.waitWhilePaused() { return try await findPosition() }
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
      _ = try await control.waitWhilePaused()
      try await findPosition()
    } catch let error as APIError {
      // Throws the cause, if the body could not be read.
      try reader.file?.checkUnchanged()
      try await recover(from: error)
    }
    await confirm(chunk)
  }

  private func put(_ chunk: UploadChunk) async throws -> ChunkAnswer {
    let (service, url) = (key(for: chunk.range.lowerBound), url)
    let headers = chunk.headers(of: reader.count, contentType: request.contentType)
    let response = try await control.interruptible {
      try await service.client.put(
        chunk.body, to: url, headers: headers, for: MediaService.uploadBytes.descriptor, options: service.options)
    }
    let answer = try ChunkAnswer(response)
    if let upload = answer.upload { try check(upload, by: MediaService.uploadBytes.descriptor) }
    return answer
  }

  /// A caller's own key is for the first step. The same chunk, sent again, is a different call.
  private func key(for offset: Int) -> MediaService {
    let first = service.step("bytes")
    let ofChunk = offset == 0 ? first : first.step("\(offset)")
    return mismatches == 0 ? ofChunk : ofChunk.step("again\(mismatches)")
  }

  /// Continues after a refused chunk, if that can help.
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
        error.restate(
          "the server received other bytes than were sent, \(mismatches) times in a row",
          reason: "something on the way changes them", advice: "check proxies and the network")
        throw error
      }
    case 413 where position.takeRequestedSize(): break
    case 404, 410:
      guard !error.isFromAnotherServer else { throw error }
      // Distinguishes a missing upload from an expired URL.
      _ = try await service.existingUpload(uploadId)
      try await renewURL(insteadOf: error)
    default:
      guard UploadURLExpiry.isReported(by: error, of: url) else { throw error }
      try await renewURL(insteadOf: error)
    }
  }

  /// Requests another URL for the bytes after the current one has expired, and continues with it.
  private mutating func renewURL(insteadOf error: APIError) async throws {
    renewals += 1
    guard renewals <= Self.maximumRenewals else {
      // The gateway does not know that its storage has lost the upload. With the same key, it would always return the
      // lost one.
      if UploadGone.isReported(by: error) { throw UploadGone.error(uploadId, renewedInVain: Self.maximumRenewals) }
      var error = error
      error.restate(
        "the server refuses the bytes, and issued \(Self.maximumRenewals) other URLs for them in vain",
        advice: "try again later")
      throw error
    }
    if renewals > 1 {
      let wait = Self.renewing.wait(after: renewals - 1, random: service.client.random)
      try await control.clock.sleep(until: control.clock.now.advanced(by: wait), tolerance: nil)
    }
    let (start, url): (UploadRecord.Start, String)
    do { (start, url) = try await renew() } catch let failure as APIError where failure.httpStatus != nil {
      throw Self.notRenewed(failure, insteadOf: error)
    }
    if !start.uploadId.hasSameBytes(as: uploadId) {
      // The bytes that were sent belong to the other upload.
      guard reader.canGoBack else { throw error }
    }
    identity.withLock { $0 = UploadIdentity(request: request, start: start) }
    self.url = url
    try await findPosition(countsLosses: true)
  }

  /// The URL has expired, and the server did not issue another one.
  private static func notRenewed(_ failure: APIError, insteadOf error: APIError) -> APIError {
    // The refusal of this request is less helpful than that of the bytes, and would end the upload.
    if [.invalidArgument, .permissionDenied, .failedPrecondition].contains(failure.code) { return error }
    var failure = failure
    failure.restate(
      "the URL for the bytes has expired, and the server issued no other one", advice: "try again later")
    return failure
  }

  private func confirm(_ chunk: UploadChunk) async {
    control.confirm(position.stored)
    await reader.release(upTo: position.stored)
    guard position.stored == chunk.range.upperBound, let digest = chunk.digestSoFar else { return }
    ledger.confirmed(position.stored, digest: digest)
  }

  // MARK: Reading ahead

  /// Returns the chunk of a range: the prepared one, if it has this range.
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

  /// Asks for the number of bytes that the server has, after a pause or with another URL.
  private mutating func findPosition(countsLosses: Bool = false) async throws {
    let upload = try await service.existingUpload(uploadId).upload
    try check(upload, by: MediaRPC.getUpload.descriptor)
    try position.resume(at: upload.uploadedSize, countsLosses: countsLosses)
    control.confirm(position.stored)
  }

  /// The number of bytes that the server has. Throws the conflict if the server does not report it.
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
  /// The service for a later step of the upload: a caller's own key is for the first step only.
  func step(_ name: String) -> MediaService {
    with { options in options.idempotencyKey = options.idempotencyKey.map { "\($0)-\(name)" } }
  }
}

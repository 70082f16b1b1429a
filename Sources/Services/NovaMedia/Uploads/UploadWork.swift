import NovaCore

/// Runs an upload from its source to its end, new or resumed.
struct UploadWork: Sendable {
  let service: MediaService
  let control: UploadControl
  private var client: APIClient { service.client }

  // MARK: A new upload

  func upload(_ request: UploadRequest) async throws -> Upload {
    let (service, identity) = try await service.forOneCaller()
    return try await UploadWork(service: service, control: control).upload(request, of: identity)
  }

  private func upload(_ request: UploadRequest, of identity: Identity) async throws -> Upload {
    let reader = try request.source.open()
    control.open(reader.count)
    let start = try await request.start(reader, checks: service.options.checksArguments)
    let journal = try newJournal(request, of: identity, start: start, reader: reader)
    guard let (journal, key) = journal else {
      let ledger = UploadLedger(nil, clock: control.clock)
      return try await send(start, key: service.options.idempotencyKey, from: reader, ledger)
    }
    let ledger = UploadLedger(journal, clock: control.clock)
    return try await keeping(journal, of: reader.file, in: ledger, isNew: true) {
      try await send(start, key: key, from: reader, ledger)
    }
  }

  private func send(
    _ request: StartUploadRequest, key: String?, from reader: UploadReader, _ ledger: UploadLedger
  ) async throws -> Upload {
    let renew = renewal(request, key: key, in: ledger)
    let (started, url) = try await renew()
    var engine = UploadEngine(
      service, control: control, reader: reader, ledger: ledger, request: request, start: started, url: url,
      renew: renew)
    return try await engine.run()
  }

  /// Starts the upload, and requests another URL for it with the same key.
  private func renewal(
    _ request: StartUploadRequest, key: String?, in ledger: UploadLedger
  ) -> UploadEngine.Renewal {
    let known = Locked(key.flatMap { $0.isEmpty ? nil : $0 })
    return {
      let service = service.with { $0.idempotencyKey = known.withLock { $0 } }
      let response = try await service.client.respond(MediaRPC.startUpload, request, options: service.options)
      // Without a key of its own, a call uses its request ID as the key.
      if service.options.requestID == nil { known.withLock { $0 = $0 ?? response.requestID } }
      return try begin(response.value, to: request, in: ledger)
    }
  }

  /// Records the upload of a file before anything is sent.
  private func newJournal(
    _ request: UploadRequest, of identity: Identity, start: StartUploadRequest, reader: UploadReader
  ) throws -> (journal: UploadJournal, key: String)? {
    // The mock in this process ends with it.
    guard let file = reader.file, request.isResumable, !client.configuration.usesMockData else { return nil }
    guard let directory = UploadDirectory(client.configuration) else { throw UploadDirectory.unknown }
    let key = service.options.idempotencyKey.flatMap { $0.isEmpty ? nil : $0 } ?? UploadID.random(digits: 32)
    let journal = try directory.newJournal(
      UploadRecord.Beginning(
        id: control.id, path: file.path, file: file.identity, contentType: start.contentType, fileName: start.fileName,
        userId: start.userId, caller: identity.caller, gateway: service.gateway, key: key,
        time: control.clock.unixTime))
    discardsJournal(in: directory)
    return (journal, key)
  }

  // MARK: A resumed upload

  func resume(_ id: String) async throws -> Upload {
    guard let directory = UploadDirectory(client.configuration) else { throw UploadDirectory.unknown }
    let (journal, record) = try await directory.open(id)
    let beginning = record.beginning
    guard beginning.gateway == service.gateway else {
      throw APIError(
        .failedPrecondition,
        "the upload belongs to another gateway, \(beginning.gateway)",
        advice: "resume it with a client of that gateway",
        rpc: MediaRPC.startUpload.descriptor.id)
    }
    let (service, identity) = try await service.forOneCaller()
    guard record.pending.canBeResumed(by: identity) else { throw Self.ofAnother(record.pending, than: identity) }
    discardsJournal(in: directory)
    let reader = try UploadReader(try UploadFile(path: beginning.path, expected: beginning.file))
    control.open(reader.count)
    control.hasBegun = record.start != nil
    let ledger = UploadLedger(journal, clock: control.clock, record: record)
    return try await keeping(journal, of: reader.file, in: ledger) {
      try await UploadWork(service: service, control: control).resume(record, in: ledger, from: reader)
    }
  }

  private static func ofAnother(_ upload: PendingUpload, than identity: Identity) -> APIError {
    APIError(
      .permissionDenied,
      "the upload belongs to another caller than \(identity)", sent: .nothing,
      advice: "resume it as " + (upload.userId.isEmpty ? "the caller who began it" : "user \(upload.userId.quoted)"),
      rpc: MediaRPC.startUpload.descriptor.id)
  }

  private func resume(
    _ record: UploadRecord, in ledger: UploadLedger, from reader: UploadReader
  ) async throws -> Upload {
    let beginning = record.beginning
    var (start, url) = (record.start, record.start?.uploadUrl)
    let request = StartUploadRequest(
      userId: beginning.userId, fileName: beginning.fileName, fileSize: Int64(beginning.file.size),
      contentType: beginning.contentType)
    let renew = renewal(request, key: beginning.key, in: ledger)
    // The URL for the bytes may have been secret, and so was not recorded. With the same key, a server that supports
    // keys returns the same upload; any other server starts a new one.
    if url == nil { (start, url) = try await renew() }
    guard let start, let url else { throw UploadGone.error(beginning.id) }
    let reported = try await service.existingUpload(start.uploadId)
    let stored: Int
    switch try ResumedProgress(reported, of: UploadIdentity(request: request, start: start), by: ledger) {
    case .completed(let upload): return upload
    case .has(let size): stored = size
    }
    let position = record.position ?? UploadRecord.Position(offset: 0, digest: [])
    guard try await reader.catchUp(to: stored, verifying: position.digest, at: position.offset) else {
      // Otherwise, the file changed after it was opened, so it may still be changing.
      if (try? reader.file?.checkUnchanged()) != nil { control.noteOtherContent() }
      throw APIError(
        .failedPrecondition,
        "the content of \(beginning.path.quoted) changed since the upload began",
        advice: "upload it again from the beginning",
        rpc: MediaService.uploadBytes.descriptor.id)
    }
    // The caller's keys are for calls of this process.
    let service = service.with { $0.idempotencyKey = nil }
    var engine = UploadEngine(
      service, control: control, reader: reader, ledger: ledger, request: request, start: start, url: url,
      stored: stored, confirmed: position.offset, renew: renew)
    return try await engine.run()
  }

  // MARK: Both

  /// Sets how the upload's owner removes the journal. Not through the journal itself, which is locked while it is open.
  private func discardsJournal(in directory: UploadDirectory) {
    let id = control.id
    control.onDiscard { try? await directory.discard(id) }
  }

  private func begin(
    _ answer: StartUploadResponse, to request: StartUploadRequest, in ledger: UploadLedger
  ) throws -> (UploadRecord.Start, url: String) {
    guard let upload = answer.upload, !upload.id.isEmpty else { throw Self.unusable("the response has no Upload") }
    try Self.check(upload, for: request)
    let start = UploadRecord.Start(
      uploadId: upload.id, uploadUrl: Self.isSecret(answer.uploadUrl) ? nil : answer.uploadUrl,
      chunkSize: answer.chunkSize, fileName: upload.fileName.isEmpty ? nil : upload.fileName,
      createdAt: upload.createdAt == 0 ? nil : upload.createdAt)
    control.hasBegun = true
    ledger.began(start)
    return (start, answer.uploadUrl)
  }

  /// Detects, before bytes are sent, what would make the upload fail after them.
  private static func check(_ upload: Upload, for request: StartUploadRequest) throws {
    let use = CompleteUploadRequest(uploadId: upload.id, sha256: "")
    if let problem = RequestRules.problem(with: "upload_id", of: use) {
      throw unusable("the server returned an upload_id that cannot be used: it \(problem)")
    }
    if let difference = UploadIdentity.difference(of: upload, startedBy: request) {
      throw unusable("the server began another upload than the one that was asked for: \(difference)")
    }
    if case .failed(let status) = UploadStatus(upload.status) { throw UploadGone.error(upload.id, status: status) }
  }

  private static func unusable(_ problem: String) -> APIError {
    APIError(.invalidResponse, "no byte was sent", reason: problem, rpc: MediaRPC.startUpload.descriptor.id)
  }

  /// Whether a URL may contain a signature or a password.
  private static func isSecret(_ url: String) -> Bool { url.utf8.contains { [0x3F, 0x40, 0x23].contains($0) } }

  /// Removes the journal after an upload that has ended, that cannot be resumed, or of which nothing was sent.
  ///
  /// - Parameter isNew: whether no earlier process can have sent any of it.
  private func keeping(
    _ journal: UploadJournal, of file: UploadFile?, in ledger: UploadLedger, isNew: Bool = false,
    _ body: () async throws -> Upload
  ) async throws -> Upload {
    do {
      let upload = try await body()
      await journal.remove()
      return upload
    } catch {
      let hasBegun = control.hasBegun
      let isUnsent = isNew && !hasBegun && (error as? APIError)?.provesNothingSent == true
      if isUnsent || !Task.isCancelled && Self.isFinal(error, file, hasBegun: hasBegun) { await journal.remove() }
      if hasBegun { ledger.close() }
      await journal.flush()
      throw error
    }
  }

  /// Whether a failed upload would fail again if resumed.
  private static func isFinal(_ error: any Error, _ file: UploadFile?, hasBegun: Bool) -> Bool {
    guard let error = error as? APIError, !error.concernsAnotherCall else { return false }
    switch error.code {
    // Another server's 404 proves nothing.
    case .notFound: return error.httpStatus == nil
    // An expired URL is renewed when the upload is resumed.
    case .invalidArgument:
      return error.httpStatus != 422 && !(error.httpStatus == 400 && UploadURLExpiry.mentionsExpiration(error))
    // The signed-in account may differ from the one that began the upload.
    case .permissionDenied: return !hasBegun && error.rpc == MediaRPC.startUpload.descriptor.id
    // The key would return the same response again.
    case .invalidResponse:
      return !hasBegun && error.httpStatus == nil && error.rpc == MediaRPC.startUpload.descriptor.id
    case .failedPrecondition:
      return error.rpc == MediaRPC.completeUpload.descriptor.id || (try? file?.checkUnchanged()) == nil
    default: return false
    }
  }
}

/// The IDs of uploads on this machine.
enum UploadID {
  static func random(digits: Int = 10) -> String {
    // Excludes letters that look like digits.
    let alphabet = Array("23456789abcdefghjkmnpqrstuvwxyz")
    return String((0..<digits).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] })
  }
}

extension MediaService {
  /// The gateway's base URL.
  var gateway: String { client.configuration.baseURL(for: Self.uploadBytes.descriptor.service).text }
}

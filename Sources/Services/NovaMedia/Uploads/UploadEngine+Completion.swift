import NovaCore

// The completion of an upload, and the checks before it.
extension UploadEngine {
  /// Completes the upload.
  ///
  /// - Parameter hadAllBytes: whether the server already had all bytes when the upload was resumed.
  /// - Throws: ``APIError``: `invalidResponse` if the server does not report that the upload is complete.
  func complete(_ digest: [UInt8], hadAllBytes: Bool) async throws -> Upload {
    let (service, uploadId, wasAsked) = (service.step("complete"), uploadId, ledger.hasAskedForCompletion)
    ledger.willComplete()
    let reported: ReportedUpload
    do {
      reported = try await service.reporting(uploadId, by: MediaRPC.completeUpload.descriptor) {
        try await $0.completeUpload(uploadId: uploadId, sha256: Hexadecimal.encode(digest))
      }
    } catch let error as APIError {
      let mayBeDone = wasAsked || error.followsLostAnswer
      if !mayBeDone, error.isAnswerToCompletion { ledger.completionWasRefused() }
      if hadAllBytes, error.isFailureBesideUpload {
        throw UploadGone.error(uploadId, status: error.server?.message.printable(to: 100) ?? "failed")
      }
      if mayBeDone, Self.mayBeOfRepetition(error) { return try await completed(insteadOf: error) }
      throw UploadGone.isReported(by: error) ? UploadGone.error(uploadId) : error
    }
    let rpc = MediaRPC.completeUpload.descriptor
    try check(reported.upload, by: rpc)
    try UploadPosition.check(reported, of: reader.count, by: rpc)
    switch UploadStatus(reported.upload.status) {
    case .completed, .received: return reported.upload
    case .unknown where !reported.upload.url.isEmpty: return reported.upload
    case .unknown:
      if let upload = try await completedUpload() { return upload }
      throw Self.refusal(
        "completed the upload and reports \(Self.text(of: reported.upload.status)) and no URL of the file", rpc)
    // A repeated completion would fail in the same way.
    case .failed(let status) where hadAllBytes: throw UploadGone.error(uploadId, status: status)
    case .inProgress, .failed:
      throw Self.refusal(
        "completed the upload and reports it as \(StatusWords(reported.upload.status).text)", rpc)
    }
  }

  /// Whether a server may have refused the completion because it already happened. That is possible only if a response
  /// was lost: a first refusal is real, for example of a wrong digest.
  private static func mayBeOfRepetition(_ error: APIError) -> Bool {
    !error.isFromAnotherServer && !error.concernsAnotherCall && error.httpStatus != nil
      && [.conflict, .failedPrecondition, .invalidArgument, .notFound].contains(error.code)
      || UploadGone.isReported(by: error)
  }

  private func completed(insteadOf error: APIError) async throws -> Upload {
    let isGone = UploadGone.isReported(by: error)
    do {
      if let upload = try await completedUpload() { return upload }
    } catch let failure as APIError where UploadGone.isGone(failure) && !isGone {
      throw error
    }
    throw isGone ? UploadGone.error(uploadId) : error
  }

  /// The upload, if the server has completed it with all bytes; nil if not.
  private func completedUpload() async throws -> Upload? {
    let reported = try await service.existingUpload(uploadId)
    let rpc = MediaRPC.getUpload.descriptor
    guard [.completed, .received].contains(UploadStatus(reported.upload.status)),
      identity.withLock({ $0 }).difference(from: reported.upload) == nil,
      (try? UploadPosition.check(reported, of: reader.count, by: rpc)) != nil
    else { return nil }
    return reported.upload
  }

  /// Throws if the response is about another upload, or one that has failed.
  func check(_ upload: Upload, by rpc: RPCDescriptor) throws {
    let identity = identity.withLock { $0 }
    if let difference = identity.difference(from: upload) {
      throw Self.refusal("answered about another upload: \(difference)", rpc)
    }
    if rpc.id != MediaRPC.completeUpload.descriptor.id, case .failed(let status) = UploadStatus(upload.status) {
      throw UploadGone.error(uploadId, status: status)
    }
  }

  private static func text(of status: String) -> String {
    status.isEmpty ? "no status" : "the status \(status.quoted)"
  }

  private static func refusal(_ problem: String, _ rpc: RPCDescriptor) -> APIError {
    APIError(.invalidResponse, "the upload is not complete", reason: "the server \(problem)", rpc: rpc.id)
  }
}

extension APIError {
  /// Whether the response to an earlier attempt of the call may have been lost after the server had run it.
  fileprivate var followsLostAnswer: Bool {
    attempts.dropLast().contains { attempt in
      if let status = attempt.httpStatus { return status >= 500 || (200..<300).contains(status) || status == 408 }
      return attempt.failure.map { ![.connectionRefused, .nameResolution, .connectTimeout, .circuitOpen].contains($0) }
        ?? false
    }
  }

  /// Whether the server responded without running the call, or nothing of it was sent.
  fileprivate var isAnswerToCompletion: Bool {
    if provesNothingSent { return true }
    guard !concernsAnotherCall, !isFromAnotherServer, let httpStatus else { return false }
    return (400..<500).contains(httpStatus) && ![408, 425, 429].contains(httpStatus)
      || isFailureBesideUpload
  }

  /// Whether the server returned the upload together with a failure.
  fileprivate var isFailureBesideUpload: Bool { httpStatus == 200 && code == .serverError }
}

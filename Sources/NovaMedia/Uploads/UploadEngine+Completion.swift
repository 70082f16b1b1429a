import NovaCore

// The end of an upload, and what is refused on the way to it.
extension UploadEngine {
  /// Completes the upload.
  ///
  /// - Throws: ``APIError``; `invalidResponse` if the server does not report that it is complete.
  func complete(_ digest: [UInt8]) async throws -> Upload {
    let (service, uploadId) = (service.step("complete"), uploadId)
    let reported: ReportedUpload
    do {
      reported = try await service.reporting {
        try await $0.completeUpload(uploadId: uploadId, sha256: Hexadecimal.encode(digest))
      }
    } catch let error as APIError where Self.mayBeOfRepetition(error) {
      return try await completed(insteadOf: error)
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
    // Completing it again would end like this again.
    case .failed(let status) where hadAllBytes: throw UploadGone.error(uploadId, status: status)
    case .inProgress, .failed:
      throw Self.refusal(
        "completed the upload and reports it as \(StatusWords(reported.upload.status).text)", rpc)
    }
  }

  /// Whether a server may refuse the completion because it has already taken place, and the answer was lost.
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

  /// Refuses what is said about another upload, or one that has failed.
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
    APIError(.invalidResponse, "the upload is not complete: the server \(problem)", rpc: rpc.id)
  }
}

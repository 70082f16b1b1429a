import NovaCore

/// What is known about an upload at the server, to detect responses about another one.
///
/// The ID alone does not identify an upload: a server that lost its data, or restarted its numbering, assigns it again.
/// A different owner or size proves that it is another upload. Servers may normalize names and media types, so a name
/// is only a hint, which counts only after an interruption.
struct UploadIdentity: Sendable, Hashable {
  /// The maximum difference between two recorded start times of one upload, in seconds.
  private static let tolerance: Int64 = 60

  /// The request that started the upload.
  let request: StartUploadRequest
  /// The server's response to it.
  let start: UploadRecord.Start

  var uploadId: String { start.uploadId }

  /// The proof that a record belongs to another upload, as the end of a sentence; nil without proof.
  func difference(from upload: Upload) -> String? {
    if !upload.id.isEmpty, !RecordIdentity.areAlike(upload.id, uploadId) {
      return "expected \(uploadId.quoted), got \(upload.id.quoted)"
    }
    return Self.difference(of: upload, startedBy: request)
  }

  /// The proof after an interruption, when the server may have assigned the ID again.
  func differenceAfterInterruption(from upload: Upload) -> String? {
    if let difference = difference(from: upload) { return difference }
    if let createdAt = start.createdAt, upload.createdAt != 0 {
      if upload.createdAt == createdAt { return nil }
      if (upload.createdAt - createdAt).magnitude > Self.tolerance { return "it began at another time" }
    }
    // A name proves nothing if the server never returned its normalized form.
    guard let serverFileName = start.fileName, !upload.fileName.isEmpty,
      ![serverFileName, request.fileName].contains(where: { RecordIdentity.areAlike($0, upload.fileName) })
    else { return nil }
    return "its file is \(upload.fileName.quoted)"
  }

  /// The proof that a record is not from an upload that this request started.
  static func difference(of upload: Upload, startedBy request: StartUploadRequest) -> String? {
    let (userId, fileSize) = (request.userId, request.fileSize)
    if !upload.userId.isEmpty, !userId.isEmpty, !RecordIdentity.isPlaceholder(userId),
      !RecordIdentity.areAlike(upload.userId, userId)
    {
      return "it belongs to user \(upload.userId.quoted)"
    }
    guard upload.fileSize != 0, upload.fileSize != fileSize else { return nil }
    return "its file has \(upload.fileSize) bytes instead of \(fileSize)"
  }
}

/// An upload, as a server reports it.
struct ReportedUpload: Sendable {
  var upload: Upload
  /// The number of bytes that the server reports to have; nil if it reports none, which a 0 in the message does not
  /// show.
  var storedSize: Int64?
}

extension MediaService {
  /// Makes a call that returns an upload.
  ///
  /// - Parameters:
  ///   - uploadId: the ID of the upload, which a response may omit.
  ///   - rpc: the RPC that is called.
  /// - Throws: ``APIError``: `serverError` if the response reports a failure together with the upload.
  func reporting(
    _ uploadId: String, by rpc: RPCDescriptor, _ call: (MediaService) async throws -> Upload
  ) async throws -> ReportedUpload {
    let answer = Locked<(size: Int64?, failure: APIError?)>((nil, nil))
    let service = with {
      $0.onBody = { body in
        answer.withLock { $0 = (UploadedSize.inAnswer(body), Self.failure(in: body, of: rpc)) }
      }
    }
    var upload = try await call(service)
    if upload.id.isEmpty { upload.id = uploadId }
    let (stored, failure) = answer.withLock { $0 }
    if let failure { throw failure }
    // A gateway that writes all fields sends zeros for a backend that stores no sizes.
    return ReportedUpload(upload: upload, storedSize: stored == 0 && upload.fileSize == 0 ? nil : stored)
  }

  /// The failure that a success response reports together with an upload, such as `"success":false`; nil if it reports
  /// no failure.
  private static func failure(in body: [UInt8], of rpc: RPCDescriptor) -> APIError? {
    guard body.count <= 64 << 10, let json = try? JSONValue(jsonUTF8: body), case .object(let members) = json,
      OutcomeSign.isFailure(members, by: [.failure, .failedStatus])
    else { return nil }
    let message = json["message"]?.stringValue ?? ""
    return APIError(
      .serverError, "the server returned the upload, and reports a failure of the call", rpc: rpc.id, httpStatus: 200,
      server: message.isEmpty ? nil : ServerError(message: message))
  }

  /// The upload, as the server has it.
  ///
  /// - Throws: ``UploadGone`` if the server does not have it, however it reports that.
  func existingUpload(_ uploadId: String) async throws -> ReportedUpload {
    do {
      return try await reporting(uploadId, by: MediaRPC.getUpload.descriptor) { service in
        guard let upload = try await service.getUpload(uploadId: uploadId) else { throw UploadGone.error(uploadId) }
        return upload
      }
    } catch let error as APIError where UploadGone.isReported(by: error) {
      throw UploadGone.error(uploadId)
    }
  }
}

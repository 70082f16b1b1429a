import NovaCore

/// How far an upload of an earlier process has progressed, according to the server.
enum ResumedProgress {
  case completed(Upload)
  /// The server has this number of bytes.
  case has(Int)

  /// - Throws: ``UploadGone`` if it is another upload, or does not exist; `invalidResponse` if the report is
  ///   impossible.
  init(_ reported: ReportedUpload, of identity: UploadIdentity, by ledger: UploadLedger) throws {
    let (upload, count) = (reported.upload, Int(identity.request.fileSize))
    if let difference = identity.differenceAfterInterruption(from: upload) {
      throw UploadGone.error(identity.uploadId, isOther: difference)
    }
    if case .failed(let status) = UploadStatus(upload.status) {
      throw UploadGone.error(identity.uploadId, status: status)
    }
    guard UploadStatus(upload.status) == .completed else {
      guard (0...Int64(count)).contains(upload.uploadedSize) else {
        throw APIError(
          .invalidResponse, "the server reports \(upload.uploadedSize) bytes of a file of \(count)",
          rpc: MediaRPC.getUpload.descriptor.id)
      }
      try Self.check(upload.uploadedSize, of: identity, by: ledger)
      self = .has(Int(upload.uploadedSize))
      return
    }
    if reported.storedSize == 0 {
      throw UploadGone.error(identity.uploadId, isOther: "it is completed without a byte of the file")
    }
    try UploadPosition.check(reported, of: count, by: MediaRPC.getUpload.descriptor)
    try Self.check(reported.storedSize ?? 0, of: identity, by: ledger)
    // The file's size is the one that StartUpload sent. If the number of stored bytes is missing, or completion was
    // never requested, request it now: the digest shows whether the server has the file.
    self = reported.storedSize != nil && ledger.hasAskedForCompletion ? .completed(upload) : .has(count)
  }

  /// - Throws: ``UploadGone`` if the server has more than was ever sent, because those are bytes of another file.
  private static func check(_ size: Int64, of identity: UploadIdentity, by ledger: UploadLedger) throws {
    guard let sent = ledger.sentBytes, size > sent else { return }
    throw UploadGone.error(identity.uploadId, isOther: "it has \(size) bytes, though only \(sent) were sent")
  }
}

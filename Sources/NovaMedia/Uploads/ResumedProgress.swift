import NovaCore

/// How far an upload is that an earlier process began, by the server's word.
enum ResumedProgress {
  case completed(Upload)
  /// The server has so many bytes.
  case has(Int)

  /// - Throws: ``UploadGone`` for what is another upload, or nothing anymore; `invalidResponse` for what cannot be.
  init(_ reported: ReportedUpload, of identity: UploadIdentity) throws {
    let (upload, count) = (reported.upload, identity.fileSize)
    if let difference = identity.differenceAfterInterruption(from: upload) {
      throw UploadGone.error(identity.uploadId, isOther: difference)
    }
    switch UploadStatus(upload.status) {
    case .failed(let status): throw UploadGone.error(identity.uploadId, status: status)
    case .completed:
      if reported.storedSize == 0 {
        throw UploadGone.error(identity.uploadId, isOther: "it is completed without a byte of the file")
      }
      try UploadPosition.check(reported, of: count, by: MediaRPC.getUpload.descriptor)
      // Without any size, the digest tells whether it has the bytes.
      self = upload.fileSize == count || reported.storedSize != nil ? .completed(upload) : .has(count)
    case .inProgress, .received, .unknown:
      guard (0...Int64(count)).contains(upload.uploadedSize) else {
        throw APIError(
          .invalidResponse, "the server reports \(upload.uploadedSize) bytes of a file of \(count)",
          rpc: MediaRPC.getUpload.descriptor.id)
      }
      self = .has(Int(upload.uploadedSize))
    }
  }
}

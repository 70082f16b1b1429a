import NovaCore

/// An upload that the server does not have anymore: it has to begin again.
enum UploadGone {
  static func error(_ uploadId: String, status: String = "") -> APIError {
    let problem = status.isEmpty ? "the server does not have upload \(uploadId.quoted) anymore" : "the upload failed"
    return APIError(
      .notFound, "\(problem); upload the file again from the beginning", rpc: MediaRPC.getUpload.descriptor.id)
  }

  /// Whether a server says so. Pages of other servers prove nothing.
  static func isReported(by error: APIError) -> Bool {
    !error.isFromAnotherServer && (error.httpStatus == 404 || error.httpStatus == 410)
  }

  /// Whether this is such an error.
  static func isGone(_ error: APIError) -> Bool { error.code == .notFound && error.httpStatus == nil }
}

/// A place for bytes that was good for some time only.
enum UploadURLExpiry {
  /// Whether the server of an upload URL refuses bytes because the URL is not valid any more, as storage servers do for
  /// signed URLs: S3 with 403 or with 400 `ExpiredToken`, Google Cloud Storage with 400, Azure with 403.
  static func isReported(by error: APIError, of url: String) -> Bool {
    let isSigned = url.utf8.contains(UInt8(ascii: "?"))
    // A path on the gateway without a signature is good for ever.
    if !isSigned, url.hasPrefix("/") { return false }
    switch error.httpStatus {
    case 403: return isSigned || saysSo(error)
    case 400, 401: return saysSo(error)
    default: return false
    }
  }

  /// Whether a refusal mentions that something has expired.
  static func saysSo(_ error: APIError) -> Bool {
    let texts = [error.server?.code ?? "", error.server?.message ?? ""]
    return texts.contains { $0.lowercased().contains("expired") }
  }
}

extension MediaService {
  /// The upload as the server has it.
  ///
  /// - Throws: ``UploadGone`` if it has none, in whatever way it says so.
  func existingUpload(_ uploadId: String) async throws -> Upload {
    do {
      if let upload = try await getUpload(uploadId: uploadId) { return upload }
    } catch let error as APIError where UploadGone.isReported(by: error) {}
    throw UploadGone.error(uploadId)
  }
}

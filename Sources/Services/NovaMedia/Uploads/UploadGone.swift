import NovaCore

/// The error for an upload that the server no longer has. It has to start over.
enum UploadGone {
  static func error(_ uploadId: String) -> APIError {
    error(problem: "the server does not have upload \(uploadId.quoted) anymore")
  }

  /// The upload failed at the server.
  ///
  /// - Parameter status: the server's status for it.
  static func error(_ uploadId: String, status: String) -> APIError {
    error(problem: "the upload failed", reason: status == "failed" ? nil : "the server reports it as \(status)")
  }

  /// The ID now belongs to another upload.
  ///
  /// - Parameter difference: the evidence for it.
  static func error(_ uploadId: String, isOther difference: String) -> APIError {
    error(problem: "the server has another upload as \(uploadId.quoted), \(difference)")
  }

  /// The URL for the bytes is gone, and so is every URL that the server issued instead.
  static func error(_ uploadId: String, renewedInVain count: Int) -> APIError {
    error(
      problem:
        "the storage does not have upload \(uploadId.quoted) anymore, and the server issued \(count) other URLs for "
        + "its bytes in vain")
  }

  private static func error(problem: String, reason: String? = nil) -> APIError {
    APIError(
      .notFound, problem, reason: reason, advice: "upload the file again from the beginning",
      rpc: MediaRPC.getUpload.descriptor.id)
  }

  /// Whether a server reports that the upload is gone. Pages of other servers prove nothing.
  static func isReported(by error: APIError) -> Bool {
    !error.isFromAnotherServer && !error.concernsAnotherCall && (error.httpStatus == 404 || error.httpStatus == 410)
  }

  /// Whether an error was created here.
  static func isGone(_ error: APIError) -> Bool { error.code == .notFound && error.httpStatus == nil }
}

extension APIError {
  /// Whether the error is from another call that the upload needed, such as the refresh of the session. It then says
  /// nothing about the upload.
  var concernsAnotherCall: Bool { isOfRefresh || rpc.map { !$0.hasPrefix("media.") } ?? false }
}

/// Detects that an upload URL has expired.
enum UploadURLExpiry {
  /// Whether the server refuses bytes because the upload URL is no longer valid. Storage servers do so for signed URLs:
  /// S3 with 403 or with 400 `ExpiredToken`, Google Cloud Storage with 400, Azure with 403.
  static func isReported(by error: APIError, of url: String) -> Bool {
    if error.concernsAnotherCall { return false }
    let isSigned = url.utf8.contains(UInt8(ascii: "?"))
    // A path on the gateway without a signature never expires.
    if !isSigned, url.hasPrefix("/") { return false }
    switch error.httpStatus {
    case 403: return isSigned || mentionsExpiration(error)
    case 400, 401: return mentionsExpiration(error)
    default: return false
    }
  }

  /// Whether a refusal mentions an expiration.
  static func mentionsExpiration(_ error: APIError) -> Bool {
    let texts = [error.server?.code ?? "", error.server?.message ?? ""]
    return texts.contains { $0.lowercased().contains("expired") }
  }
}

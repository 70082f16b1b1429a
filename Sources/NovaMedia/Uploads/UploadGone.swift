import NovaCore

/// An upload that the server does not have anymore: it has to begin again.
enum UploadGone {
  static func error(_ uploadId: String) -> APIError {
    error(problem: "the server does not have upload \(uploadId.quoted) anymore")
  }

  /// The upload has failed at the server.
  ///
  /// - Parameter status: what the server calls that.
  static func error(_ uploadId: String, status: String) -> APIError {
    error(problem: status == "failed" ? "the upload failed" : "the upload failed: the server reports it as \(status)")
  }

  /// The id is that of another upload now.
  ///
  /// - Parameter difference: how that shows.
  static func error(_ uploadId: String, isOther difference: String) -> APIError {
    error(problem: "the server has another upload as \(uploadId.quoted), \(difference)")
  }

  /// The place for the bytes is gone, and so is each that the server has issued instead.
  static func error(_ uploadId: String, renewedInVain count: Int) -> APIError {
    error(
      problem:
        "the storage does not have upload \(uploadId.quoted) anymore, and the server issued \(count) other URLs for "
        + "its bytes in vain")
  }

  private static func error(problem: String) -> APIError {
    APIError(.notFound, "\(problem); upload the file again from the beginning", rpc: MediaRPC.getUpload.descriptor.id)
  }

  /// Whether a server says so. Pages of other servers prove nothing.
  static func isReported(by error: APIError) -> Bool {
    !error.isFromAnotherServer && !error.concernsAnotherCall && (error.httpStatus == 404 || error.httpStatus == 410)
  }

  /// Whether this is such an error.
  static func isGone(_ error: APIError) -> Bool { error.code == .notFound && error.httpStatus == nil }
}

extension APIError {
  /// Whether the error is that of a call that an upload needed on its way, such as the refresh of the session: it says
  /// nothing about the upload.
  var concernsAnotherCall: Bool { isOfRefresh || rpc.map { !$0.hasPrefix("media.") } ?? false }
}

/// A place for bytes that was good for some time only.
enum UploadURLExpiry {
  /// Whether the server of an upload URL refuses bytes because the URL is not valid any more, as storage servers do for
  /// signed URLs: S3 with 403 or with 400 `ExpiredToken`, Google Cloud Storage with 400, Azure with 403.
  static func isReported(by error: APIError, of url: String) -> Bool {
    if error.concernsAnotherCall { return false }
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

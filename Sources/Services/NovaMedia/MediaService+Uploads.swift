import NovaCore

extension MediaServiceProtocol {
  /// Starts an upload. Calling it twice starts two uploads.
  ///
  /// - Parameters:
  ///   - fileName: a plain name of at most 255 bytes.
  ///   - fileSize: the size in bytes, at least 1.
  ///   - contentType: the file's media type, such as `video/mp4`.
  /// - Returns: the upload, and the URL for its bytes.
  /// - Throws: ``APIError``.
  public func startUpload(
    userId: String, fileName: String, fileSize: Int64, contentType: String = ""
  ) async throws -> StartUploadResponse {
    try await startUpload(
      StartUploadRequest(userId: userId, fileName: fileName, fileSize: fileSize, contentType: contentType))
  }

  /// Reports how much of a file is uploaded. Only needed if the bytes are not sent through the gateway.
  ///
  /// - Throws: ``APIError``: `notFound` if the upload does not exist.
  @discardableResult
  public func updateUploadProgress(uploadId: String, uploadedSize: Int64) async throws -> Upload {
    let request = UpdateUploadProgressRequest(uploadId: uploadId, uploadedSize: uploadedSize)
    return try await value(\.upload, of: MediaRPC.updateUploadProgress, for: request, by: updateUploadProgress(_:))
  }

  /// Completes an upload after all its bytes were sent.
  ///
  /// - Parameter sha256: the digest of the whole file, in hexadecimal digits.
  /// - Throws: ``APIError``: `failedPrecondition` if the size or the digest does not match; `notFound` if the upload
  ///   does not exist.
  @discardableResult
  public func completeUpload(uploadId: String, sha256: String) async throws -> Upload {
    try await value(
      \.upload, of: MediaRPC.completeUpload, for: CompleteUploadRequest(uploadId: uploadId, sha256: sha256),
      by: completeUpload(_:))
  }

  /// Returns an upload; nil if it does not exist.
  ///
  /// - Throws: ``APIError``.
  public func getUpload(uploadId: String) async throws -> Upload? {
    try await value(
      \.upload, if: \.found, of: MediaRPC.getUpload, for: GetUploadRequest(uploadId: uploadId), by: getUpload(_:))
  }
}

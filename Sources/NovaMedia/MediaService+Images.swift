import NovaCore

extension MediaService {
  /// Uploads an image: starts an upload, sends all bytes at once, and completes it.
  ///
  /// ```swift
  /// let url = try await nova.media.uploadImage(image: bytes, userId: me, contentType: "image/png")
  /// ```
  /// - Parameters:
  ///   - image: the file's bytes; at least one.
  ///   - fileName: a plain name of at most 255 bytes.
  /// - Returns: where the image can be had: absolute, or a path on the gateway.
  /// - Throws: ``APIError``; `invalidArgument` for an empty image, before anything is sent.
  public func uploadImage(
    image: [UInt8], userId: String, contentType: String = "image/jpeg", fileName: String = "image"
  ) async throws -> String {
    guard !image.isEmpty else {
      throw APIError(.invalidArgument, "image must not be empty", rpc: MediaRPC.startUpload.descriptor.id)
    }
    let digest = try Self.digest(of: image)
    let start = try await startUpload(
      userId: userId, fileName: fileName, fileSize: Int64(image.count), contentType: contentType)
    guard let upload = start.upload, !upload.id.isEmpty else {
      throw APIError(.invalidResponse, "the answer holds no Upload", rpc: MediaRPC.startUpload.descriptor.id)
    }
    try await step("bytes").send(image, digest, start.uploadUrl, contentType: contentType, uploadId: upload.id)
    let completed = try await step("complete").completeUpload(
      uploadId: upload.id, sha256: Hexadecimal.encode(digest))
    guard !completed.url.isEmpty else {
      throw APIError(
        .invalidResponse, "the upload is complete, but the server does not say where the image can be had",
        rpc: MediaRPC.completeUpload.descriptor.id)
    }
    return completed.url
  }

  private func send(
    _ image: [UInt8], _ digest: [UInt8], _ url: String, contentType: String, uploadId: String
  ) async throws {
    var headers: HTTPHeaders = [
      "Content-Type": contentType.isEmpty ? "application/octet-stream" : contentType,
      "Content-Range": "bytes 0-\(image.count - 1)/\(image.count)",
    ]
    headers["Content-Digest"] = "sha-256=:\(String(decoding: Base64.encode(digest), as: UTF8.self)):"
    do {
      _ = try await client.put(image, to: url, headers: headers, for: Self.uploadBytes.descriptor, options: options)
    } catch let error as APIError where error.httpStatus == 409 {
      // The bytes may have come at an earlier attempt whose answer was lost.
      let stored = try? await getUpload(uploadId: uploadId)
      guard stored?.uploadedSize == Int64(image.count) else { throw error }
    }
  }

  /// The service for a later step of the same upload: a key of the caller's own stands for the first one.
  private func step(_ name: String) -> MediaService {
    var options = options
    options.idempotencyKey = options.idempotencyKey.map { "\($0)-\(name)" }
    return with(options)
  }

  private static func digest(of image: [UInt8]) throws -> [UInt8] {
    do {
      return try SHA256.digest(of: image)
    } catch {
      throw APIError(.failedPrecondition, "\(error)", rpc: uploadBytes.descriptor.id)
    }
  }

  /// What sending bytes is called in errors and logs. It is no RPC of the contract.
  private static let uploadBytes = RPC<GetUploadRequest, UpdateUploadProgressResponse>(
    service: "media", package: "nova.media_service.v1.MediaService", method: "UploadBytes", effect: .idempotent,
    http: HTTPBinding(.put, "/api/v1/media/upload/{upload_id}/bytes"), summary: "Sends the bytes of an upload.")
}

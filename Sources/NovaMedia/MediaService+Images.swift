import NovaCore

// The bytes go past the contract's RPCs, so this is written for the real service; see ``MediaServiceProtocol``.
extension MediaService {
  public func uploadImage(_ request: ImageUpload) async throws -> String {
    let (image, contentType) = (request.image, request.contentType)
    guard !image.isEmpty else {
      throw APIError(.invalidArgument, "image must not be empty", rpc: MediaRPC.startUpload.descriptor.id)
    }
    let digest = try Self.digest(of: image)
    let start = try await startUpload(
      userId: request.userId, fileName: request.fileName, fileSize: Int64(image.count), contentType: contentType)
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

  /// Sends all bytes, going on behind those that the server has where it says that it has some.
  private func send(
    _ image: [UInt8], _ digest: [UInt8], _ url: String, contentType: String, uploadId: String
  ) async throws {
    var stored = 0
    while stored < image.count {
      do {
        let digest = stored == 0 ? digest : try Self.digest(of: Array(image[stored...]))
        let service = stored == 0 ? self : step("\(stored)")
        return try await service.put(image, from: stored, digest, to: url, contentType: contentType)
      } catch let conflict as APIError where conflict.httpStatus == 409 {
        // Some or all may have come at an earlier attempt whose answer was lost.
        let size = try await storedSize(uploadId, insteadOf: conflict)
        guard size > stored, size <= image.count else { throw conflict }
        stored = size
      }
    }
  }

  private func put(
    _ image: [UInt8], from first: Int, _ digest: [UInt8], to url: String, contentType: String
  ) async throws {
    let headers: HTTPHeaders = [
      "Content-Type": contentType.isEmpty ? "application/octet-stream" : contentType,
      "Content-Range": "bytes \(first)-\(image.count - 1)/\(image.count)",
      "Content-Digest": "sha-256=:\(String(decoding: Base64.encode(digest), as: UTF8.self)):",
    ]
    let bytes = first == 0 ? image : Array(image[first...])
    _ = try await client.put(bytes, to: url, headers: headers, for: Self.uploadBytes.descriptor, options: options)
  }

  /// How many bytes the server has; if it does not tell, the conflict is what the caller should hear of.
  private func storedSize(_ uploadId: String, insteadOf conflict: APIError) async throws -> Int {
    do {
      return Int(clamping: try await getUpload(uploadId: uploadId)?.uploadedSize ?? 0)
    } catch let error as APIError where error.code != .cancelled {
      throw conflict
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

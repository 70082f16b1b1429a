import NovaCore
import NovaCrypto

// The bytes go past the contract's RPCs, so this is written for the real service; see ``MediaServiceProtocol``.
extension MediaService {
  public func uploadImage(_ request: ImageUpload) async throws -> String {
    guard !request.image.isEmpty else {
      throw APIError(.invalidArgument, "image must not be empty", rpc: MediaRPC.startUpload.descriptor.id)
    }
    // All steps share one deadline.
    return try await with { $0.deadline = client.sharedDeadline(options) }.upload(request)
  }

  private func upload(_ request: ImageUpload) async throws -> String {
    let digest = try Self.digest(of: request.image)
    let start = try await startUpload(
      userId: request.userId, fileName: request.fileName, fileSize: Int64(request.image.count),
      contentType: request.contentType)
    guard let upload = start.upload, !upload.id.isEmpty else {
      throw APIError(.invalidResponse, "the response has no Upload", rpc: MediaRPC.startUpload.descriptor.id)
    }
    let progress = UploadPosition(count: request.image.count, chunkSize: start.chunkSize)
    try await step("bytes").send(
      request, digest: digest, from: progress, to: start.uploadUrl, uploadId: upload.id)
    let completed = try await step("complete").completeUpload(
      uploadId: upload.id, sha256: Hexadecimal.encode(digest))
    try progress.check(completed)
    guard !completed.url.isEmpty else {
      throw APIError(
        .invalidResponse, "the upload is complete, but the server does not say where the image can be had",
        rpc: MediaRPC.completeUpload.descriptor.id)
    }
    return completed.url
  }

  /// Sends all bytes in chunks, and continues after the bytes that the server reports to have.
  private func send(
    _ request: ImageUpload, digest: [UInt8], from progress: UploadPosition, to url: String, uploadId: String
  ) async throws {
    var progress = progress
    while !progress.isComplete {
      let chunk = progress.nextChunk()
      let isWhole = chunk.count == request.image.count
      let bytes = isWhole ? request.image : Array(request.image[chunk])
      let digest = isWhole ? digest : try Self.digest(of: bytes)
      let service = chunk.lowerBound == 0 ? self : step("\(chunk.lowerBound)")
      do {
        let answer = try await service.put(bytes, at: chunk, of: request, digest: digest, to: url)
        try progress.took(chunk, reporting: ChunkAnswer.storedSize(in: answer.body.inMemory))
      } catch let conflict as APIError where conflict.httpStatus == 409 {
        // An earlier attempt whose response was lost may have delivered some or all of them.
        let size = try await service.storedSize(uploadId, insteadOf: conflict)
        guard size != progress.stored else { throw conflict }
        try progress.move(to: size)
      }
    }
  }

  private func put(
    _ bytes: [UInt8], at chunk: Range<Int>, of request: ImageUpload, digest: [UInt8], to url: String
  ) async throws -> HTTPResponse {
    let headers: HTTPHeaders = [
      "Content-Type": request.contentType.isEmpty ? "application/octet-stream" : request.contentType,
      "Content-Range": "bytes \(chunk.lowerBound)-\(chunk.upperBound - 1)/\(request.image.count)",
      "Content-Digest": "sha-256=:\(String(decoding: Base64.encode(digest), as: UTF8.self)):",
    ]
    return try await client.put(
      .bytes(bytes), to: url, headers: headers, for: Self.uploadBytes.descriptor, options: options)
  }

  /// How many bytes the server has; if it does not report that, the conflict is thrown.
  private func storedSize(_ uploadId: String, insteadOf conflict: APIError) async throws -> Int64 {
    do {
      return try await getUpload(uploadId: uploadId)?.uploadedSize ?? 0
    } catch let error as APIError where error.code != .cancelled && error.code != .timeout {
      throw conflict
    }
  }

  /// The service for a later step of the same upload: a key of the caller's own stands for the first one.
  private func step(_ name: String) -> MediaService {
    with { options in options.idempotencyKey = options.idempotencyKey.map { "\($0)-\(name)" } }
  }

  private static func digest(of image: [UInt8]) throws -> [UInt8] {
    do {
      return try SHA256.digest(of: image)
    } catch {
      throw APIError(.failedPrecondition, "\(error)", rpc: uploadBytes.descriptor.id)
    }
  }

  /// The name of sending bytes in errors and logs. It is not an RPC of the contract.
  static let uploadBytes = RPC<GetUploadRequest, UpdateUploadProgressResponse>(
    service: "media", package: "nova.media_service.v1.MediaService", method: "UploadBytes", effect: .idempotent,
    http: HTTPBinding(.put, "/api/v1/media/upload/{upload_id}/bytes"), summary: "Sends the bytes of an upload.")
}

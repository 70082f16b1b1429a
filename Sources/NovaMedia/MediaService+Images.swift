import NovaCore

// The bytes are not sent with RPCs of the contract, so this requires the real service; see ``MediaServiceProtocol``.
extension MediaService {
  public func uploadImage(_ request: ImageUpload) async throws -> String {
    guard !request.image.isEmpty else {
      throw APIError(.invalidArgument, "image must not be empty", rpc: MediaRPC.startUpload.descriptor.id)
    }
    // All steps share one deadline.
    let completed = try await with { $0.deadline = client.sharedDeadline(options) }.upload(
      .bytes(request.image), userId: request.userId, contentType: request.contentType, fileName: request.fileName
    ).value
    guard !completed.url.isEmpty else {
      throw APIError(
        .invalidResponse, "the upload is complete, but the server does not say where the image can be had",
        rpc: MediaRPC.completeUpload.descriptor.id)
    }
    return completed.url
  }

  /// The name for sending bytes in errors and logs. It is not an RPC of the contract.
  static let uploadBytes = RPC<GetUploadRequest, UpdateUploadProgressResponse>(
    service: "media", package: "nova.media_service.v1.MediaService", method: "UploadBytes", effect: .idempotent,
    http: HTTPBinding(.put, "/api/v1/media/upload/{upload_id}/bytes"), summary: "Sends the bytes of an upload.")

  /// That name, as in ``APIError/rpc``.
  package static var uploadBytesName: String { uploadBytes.descriptor.id }
}

import NovaCore

/// An image to upload, with its owner, media type, and name.
public struct ImageUpload: Sendable, Hashable {
  /// The file's bytes; at least one.
  public var image: [UInt8]
  /// The owner of the image.
  public var userId: String
  /// The file's media type. Default `image/jpeg`.
  public var contentType: String
  /// A plain name of at most 255 bytes. Default `image`.
  public var fileName: String

  /// Creates an upload.
  public init(image: [UInt8], userId: String, contentType: String = "image/jpeg", fileName: String = "image") {
    self.image = image
    self.userId = userId
    self.contentType = contentType
    self.fileName = fileName
  }
}

extension MediaServiceProtocol {
  /// Uploads an image: starts an upload, sends its bytes, and completes it. If the server already has some bytes,
  /// because a response was lost, the upload continues after them.
  ///
  /// The bytes are sent in chunks of the size that the server requests (16 KiB…64 MiB; 4 MiB by default). A timeout or
  /// deadline limits the whole upload; without one, the configuration's transfer limit (300 s) does. The upload fails
  /// if the server accepts almost nothing of each chunk, or reports impossible sizes.
  ///
  /// ```swift
  /// let url = try await nova.media.uploadImage(image: bytes, userId: me, contentType: "image/png")
  /// ```
  /// - Parameters:
  ///   - image: the file's bytes; at least one.
  ///   - fileName: a plain name of at most 255 bytes.
  /// - Returns: the image's URL: absolute, or a path on the gateway.
  /// - Throws: ``APIError``: `invalidArgument` for an empty image, before anything is sent; `timeout`;
  ///   `invalidResponse` if the upload makes no progress.
  public func uploadImage(
    image: [UInt8], userId: String, contentType: String = "image/jpeg", fileName: String = "image"
  ) async throws -> String {
    try await uploadImage(ImageUpload(image: image, userId: userId, contentType: contentType, fileName: fileName))
  }
}

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
        .invalidResponse, "the upload is complete, but the server sent no URL for the image",
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

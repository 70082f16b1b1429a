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

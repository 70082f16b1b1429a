/// An image and its source.
public struct CachedMedia: Sendable, Hashable {
  /// The source of an image's bytes.
  public enum Source: Sendable, Hashable {
    /// This process's memory.
    case memory
    /// A file.
    case disk
    /// The server.
    case network
  }

  /// The image, as the server sent it.
  public let bytes: [UInt8]
  /// The media type, for example `image/png`; nil if the server sent none.
  public let contentType: String?
  /// The time since the server created or confirmed the response.
  public let age: Duration
  /// The source of the bytes. If the server confirmed a stored image, it is where that image was stored.
  public let source: Source
  /// Whether a stored image replaces a failure of the server. The server may have a newer one.
  public let replacesFailure: Bool
}

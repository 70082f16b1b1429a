/// An image, and where it came from.
public struct CachedMedia: Sendable, Hashable {
  /// Where the bytes of an image came from.
  public enum Source: Sendable, Hashable {
    /// From this process.
    case memory
    /// From a file.
    case disk
    /// From the server.
    case network
  }

  /// The image, as the server sent it.
  public let bytes: [UInt8]
  /// The media type, for example `image/png`; nil if the server sent none.
  public let contentType: String?
  /// The time since the server created or confirmed the response.
  public let age: Duration
  /// Where it came from. After a confirmation by the server, it is where the bytes were stored.
  public let source: Source
  /// Whether it is a stored image because the server failed or could not be reached. The server may have a newer one.
  public let replacesFailure: Bool

  init(bytes: [UInt8], contentType: String?, age: Duration, source: Source, replacesFailure: Bool = false) {
    self.bytes = bytes
    self.contentType = contentType
    self.age = age
    self.source = source
    self.replacesFailure = replacesFailure
  }
}

public import NovaCore

/// What a capture is: a text, an image, a video, or a link. Open: a value that this version does not know is kept.
///
/// ```swift
/// let something = try await nova.capture.create(.image, mediaUrl: "https://cdn.example/a.jpg")
/// print(something.contentType == .image)  // true
/// ```
///
/// Each type needs something, which calls check before they send anything, and the mock backend as well:
///
/// | type | needs |
/// |---|---|
/// | ``text`` | `content` of 1 to 10,000 characters |
/// | ``image``, ``video``, ``url`` | `mediaUrl`, an absolute `http` or `https` URL; `content` is optional |
///
/// An empty value in a request is the server's default, which is ``text``.
public struct ContentType: TypedText, CaseIterable {
  /// The value in JSON.
  public let rawValue: String

  /// Creates a type from its value in JSON, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A text. Needs `content` of 1 to 10,000 characters.
  public static let text = ContentType(rawValue: "text")
  /// An image. Needs `mediaUrl`, an absolute `http` or `https` URL.
  public static let image = ContentType(rawValue: "image")
  /// A video. Needs `mediaUrl`, an absolute `http` or `https` URL.
  public static let video = ContentType(rawValue: "video")
  /// A link. Needs `mediaUrl`, the absolute `http` or `https` URL that it leads to.
  public static let url = ContentType(rawValue: "url")

  /// The types that exist now, in the contract's order.
  public static let allCases: [ContentType] = [.text, .image, .video, .url]
}

public import NovaCore

/// What a capture is: a text, an image, a video, or a link. Open: a value that this version does not know is kept.
///
/// ```swift
/// let something = try await nova.capture.create(.image, mediaUrl: "https://cdn.example/a.jpg")
/// print(something.contentType == .image)  // true
/// ```
///
/// Each type has required fields. Calls check them before they send anything, and so does the mock backend:
///
/// | type | requires |
/// |---|---|
/// | ``text`` | `content` of 1 to 10,000 characters |
/// | ``image``, ``video``, ``url`` | `mediaUrl`, an absolute `http` or `https` URL; `content` is optional |
///
/// In a request, an empty value means the server's default, which is ``text``.
public struct ContentType: TypedText, CaseIterable {
  /// The value in JSON.
  public let rawValue: String

  /// Creates a type from its value in JSON, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A text. Requires `content` of 1 to 10,000 characters.
  public static let text = ContentType(rawValue: "text")
  /// An image. Requires `mediaUrl`, an absolute `http` or `https` URL.
  public static let image = ContentType(rawValue: "image")
  /// A video. Requires `mediaUrl`, an absolute `http` or `https` URL.
  public static let video = ContentType(rawValue: "video")
  /// A link. Requires `mediaUrl`, the absolute `http` or `https` URL that it leads to.
  public static let url = ContentType(rawValue: "url")

  /// The types that exist now, in the contract's order.
  public static let allCases: [ContentType] = [.text, .image, .video, .url]
}

/// What a captured thing is. Open: servers may know more.
public struct ContentType: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A text of 1 to 10,000 characters.
  public static let text = ContentType(rawValue: "text")
  /// A picture, which is at the thing's media URL.
  public static let image = ContentType(rawValue: "image")
  /// A video, which is at the thing's media URL.
  public static let video = ContentType(rawValue: "video")
  /// A link.
  public static let url = ContentType(rawValue: "url")
}

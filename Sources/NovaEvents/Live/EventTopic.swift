import NovaCore

/// What events are about.
///
/// ```swift
/// let topics: [EventTopic] = [.user("ada"), .post("post-1"), .me]
/// ```
public struct EventTopic: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// How many topics a subscription has at most: 100.
  public static let maximumCount = EventRPC.streamEvents.descriptor.batchLimit?.maximum ?? .max

  /// The topic as it is sent: `post:post-1`.
  public let rawValue: String

  /// Creates a topic from the form in which it is sent. The gateway decides whether there is such a topic.
  public init(rawValue: String) { self.rawValue = rawValue }

  public init(stringLiteral value: String) { self.init(rawValue: value) }

  public var description: String { rawValue }

  // By bytes: Unicode can write one text in two ways, and to the gateway, these are two topics.
  public static func == (first: EventTopic, second: EventTopic) -> Bool {
    first.rawValue.hasSameBytes(as: second.rawValue)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(bytesOf: rawValue) }

  /// A user's profile, follows and posts.
  public static func user(_ id: String) -> EventTopic { EventTopic(rawValue: "user:\(id)") }

  /// A post's likes, comments, shares and edits.
  public static func post(_ id: String) -> EventTopic { EventTopic(rawValue: "post:\(id)") }

  /// New posts of those whom a user follows.
  public static func feed(of userID: String) -> EventTopic { EventTopic(rawValue: "feed:\(userID)") }

  /// All that happens to the signed-in user, bookmarks and somethings included.
  public static let me = EventTopic(rawValue: "me")
}

extension EventTopic: Comparable {
  public static func < (first: EventTopic, second: EventTopic) -> Bool {
    first.rawValue.utf8.lexicographicallyPrecedes(second.rawValue.utf8)
  }
}

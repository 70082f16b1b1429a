import NovaCore

/// A subject of events, such as a user or a post.
///
/// ```swift
/// let topics: [EventTopic] = [.user("ada"), .post("post-1"), .me]
/// ```
public struct EventTopic: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The maximum number of topics of a subscription: 100.
  public static let maximumCount = EventRPC.streamEvents.descriptor.batchLimit?.maximum ?? .max

  /// The topic as text, for example `post:post-1`.
  public let rawValue: String

  /// Creates a topic from text. Only the gateway checks whether such a topic exists.
  public init(rawValue: String) { self.rawValue = rawValue }

  public init(stringLiteral value: String) { self.init(rawValue: value) }

  public var description: String { rawValue }

  // Compared by bytes: texts that are equal in Unicode, but have different bytes, are different topics to the gateway.
  public static func == (first: EventTopic, second: EventTopic) -> Bool {
    first.rawValue.hasSameBytes(as: second.rawValue)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(bytesOf: rawValue) }

  /// A user's profile, follows, and posts.
  public static func user(_ id: String) -> EventTopic { EventTopic(rawValue: "user:\(id)") }

  /// A post's likes, comments, shares, and edits.
  public static func post(_ id: String) -> EventTopic { EventTopic(rawValue: "post:\(id)") }

  /// New posts by the users whom a user follows.
  public static func feed(of userID: String) -> EventTopic { EventTopic(rawValue: "feed:\(userID)") }

  /// Everything that happens to the signed-in user, including bookmarks and somethings.
  public static let me = EventTopic(rawValue: "me")
}

extension EventTopic: Comparable {
  public static func < (first: EventTopic, second: EventTopic) -> Bool {
    first.rawValue.utf8.lexicographicallyPrecedes(second.rawValue.utf8)
  }
}

public import NovaCore
public import NovaFeed

/// What somebody is shown.
public struct FeedRecord: ProtoMessage {
  /// Whose feed.
  public var userId: String = ""
  /// The best first.
  public var posts: [FeedPost] = []

  /// A record with every field at its default.
  public init() {}

  init(userId: String, posts: [FeedPost]) {
    self.userId = userId
    self.posts = posts
  }

  public static let descriptor = MessageDescriptor(
    "nova.fixtures.v1.FeedRecord",
    [
      FieldDescriptor("user_id", json: "userId", number: 1, .string),
      FieldDescriptor("posts", json: "posts", number: 2, .message("nova.feed_service.v1.FeedPost"), .repeated),
    ])

  public mutating func readField<Source: FieldSource & ~Copyable>(
    _ index: Int, from source: inout Source
  ) throws(Source.Failure) {
    switch index {
    case 0: try source.read(.string, &userId)
    case 1: try source.read(.message(FeedPost.self), &posts)
    default: break
    }
  }

  public func writeFields<Sink: FieldSink & ~Copyable>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.write(0, .string, userId)
    try sink.write(1, .message(FeedPost.self), posts)
  }
}

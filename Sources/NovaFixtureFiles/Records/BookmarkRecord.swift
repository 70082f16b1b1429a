public import NovaCore

/// That somebody has bookmarked a post.
public struct BookmarkRecord: ProtoMessage {
  /// Who has bookmarked.
  public var userId: String = ""
  /// What was bookmarked.
  public var postId: String = ""
  /// When, in Unix seconds.
  public var createdAt: Int64 = 0

  /// A record with every field at its default.
  public init() {}

  init(userId: String, postId: String, createdAt: Int64) {
    self.userId = userId
    self.postId = postId
    self.createdAt = createdAt
  }

  public static let descriptor = MessageDescriptor(
    "nova.fixtures.v1.BookmarkRecord",
    [
      FieldDescriptor("user_id", json: "userId", number: 1, .string),
      FieldDescriptor("post_id", json: "postId", number: 2, .string),
      FieldDescriptor("created_at", json: "createdAt", number: 3, .unixSeconds),
    ])

  public mutating func readField<Source: FieldSource & ~Copyable>(
    _ index: Int, from source: inout Source
  ) throws(Source.Failure) {
    switch index {
    case 0: try source.read(.string, &userId)
    case 1: try source.read(.string, &postId)
    case 2: try source.read(.unixSeconds, &createdAt)
    default: break
    }
  }

  public func writeFields<Sink: FieldSink & ~Copyable>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.write(0, .string, userId)
    try sink.write(1, .string, postId)
    try sink.write(2, .unixSeconds, createdAt)
  }
}

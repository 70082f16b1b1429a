public import NovaCore

/// That somebody has shared a post.
public struct ShareRecord: ProtoMessage {
  /// Who has shared.
  public var userId: String = ""
  /// What was shared.
  public var postId: String = ""
  /// How: `repost`, `story` or `dm`.
  public var shareType: String = ""
  /// When, in Unix seconds.
  public var createdAt: Int64 = 0

  /// A record with every field at its default.
  public init() {}

  init(userId: String, postId: String, shareType: String, createdAt: Int64) {
    self.userId = userId
    self.postId = postId
    self.shareType = shareType
    self.createdAt = createdAt
  }

  public static let descriptor = MessageDescriptor(
    "nova.fixtures.v1.ShareRecord",
    [
      FieldDescriptor("user_id", json: "userId", number: 1, .string),
      FieldDescriptor("post_id", json: "postId", number: 2, .string),
      FieldDescriptor("share_type", json: "shareType", number: 3, .string),
      FieldDescriptor("created_at", json: "createdAt", number: 4, .unixSeconds),
    ])

  public mutating func readField<Source: FieldSource & ~Copyable>(
    _ index: Int, from source: inout Source
  ) throws(Source.Failure) {
    switch index {
    case 0: try source.read(.string, &userId)
    case 1: try source.read(.string, &postId)
    case 2: try source.read(.string, &shareType)
    case 3: try source.read(.unixSeconds, &createdAt)
    default: break
    }
  }

  public func writeFields<Sink: FieldSink & ~Copyable>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.write(0, .string, userId)
    try sink.write(1, .string, postId)
    try sink.write(2, .string, shareType)
    try sink.write(3, .unixSeconds, createdAt)
  }
}

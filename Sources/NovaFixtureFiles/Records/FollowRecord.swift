public import NovaCore

/// That somebody follows somebody.
public struct FollowRecord: ProtoMessage {
  /// Who follows.
  public var followerId: String = ""
  /// Who is followed.
  public var followeeId: String = ""
  /// Since when, in Unix seconds.
  public var createdAt: Int64 = 0

  /// A record with every field at its default.
  public init() {}

  init(followerId: String, followeeId: String, createdAt: Int64) {
    self.followerId = followerId
    self.followeeId = followeeId
    self.createdAt = createdAt
  }

  public static let descriptor = MessageDescriptor(
    "nova.fixtures.v1.FollowRecord",
    [
      FieldDescriptor("follower_id", json: "followerId", number: 1, .string),
      FieldDescriptor("followee_id", json: "followeeId", number: 2, .string),
      FieldDescriptor("created_at", json: "createdAt", number: 3, .unixSeconds),
    ])

  public mutating func readField<Source: FieldSource & ~Copyable>(
    _ index: Int, from source: inout Source
  ) throws(Source.Failure) {
    switch index {
    case 0: try source.read(.string, &followerId)
    case 1: try source.read(.string, &followeeId)
    case 2: try source.read(.unixSeconds, &createdAt)
    default: break
    }
  }

  public func writeFields<Sink: FieldSink & ~Copyable>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.write(0, .string, followerId)
    try sink.write(1, .string, followeeId)
    try sink.write(2, .unixSeconds, createdAt)
  }
}

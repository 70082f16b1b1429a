public import NovaCore

/// That somebody has blocked somebody.
public struct BlockRecord: ProtoMessage {
  /// Who has blocked.
  public var blockerId: String = ""
  /// Who is blocked.
  public var blockedId: String = ""

  /// A record with every field at its default.
  public init() {}

  init(blockerId: String, blockedId: String) {
    self.blockerId = blockerId
    self.blockedId = blockedId
  }

  public static let descriptor = MessageDescriptor(
    "nova.fixtures.v1.BlockRecord",
    [
      FieldDescriptor("blocker_id", json: "blockerId", number: 1, .string),
      FieldDescriptor("blocked_id", json: "blockedId", number: 2, .string),
    ])

  public mutating func readField<Source: FieldSource & ~Copyable>(
    _ index: Int, from source: inout Source
  ) throws(Source.Failure) {
    switch index {
    case 0: try source.read(.string, &blockerId)
    case 1: try source.read(.string, &blockedId)
    default: break
    }
  }

  public func writeFields<Sink: FieldSink & ~Copyable>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.write(0, .string, blockerId)
    try sink.write(1, .string, blockedId)
  }
}

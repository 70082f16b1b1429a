public import NovaCore

/// That somebody has muted somebody.
public struct MuteRecord: ProtoMessage {
  /// Who has muted.
  public var muterId: String = ""
  /// Who is muted.
  public var muteeId: String = ""

  /// A record with every field at its default.
  public init() {}

  init(muterId: String, muteeId: String) {
    self.muterId = muterId
    self.muteeId = muteeId
  }

  public static let descriptor = MessageDescriptor(
    "nova.fixtures.v1.MuteRecord",
    [
      FieldDescriptor("muter_id", json: "muterId", number: 1, .string),
      FieldDescriptor("mutee_id", json: "muteeId", number: 2, .string),
    ])

  public mutating func readField<Source: FieldSource & ~Copyable>(
    _ index: Int, from source: inout Source
  ) throws(Source.Failure) {
    switch index {
    case 0: try source.read(.string, &muterId)
    case 1: try source.read(.string, &muteeId)
    default: break
    }
  }

  public func writeFields<Sink: FieldSink & ~Copyable>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.write(0, .string, muterId)
    try sink.write(1, .string, muteeId)
  }
}

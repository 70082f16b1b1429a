/// Fields that a message does not declare: those of a newer version of the contract, as they were read from protobuf's
/// binary format.
///
/// Messages have a place for them if `gateway.yaml` has `keeps_unknown_fields: true`. JSON never contains them.
public struct UnknownFields: Sendable, Hashable {
  /// The fields with their tags, in the order in which they were read.
  public var bytes: [UInt8]

  /// Creates a list of fields. By default, it is empty.
  public init(bytes: [UInt8] = []) { self.bytes = bytes }

  /// Whether there are no fields.
  public var isEmpty: Bool { bytes.isEmpty }
}

/// A message with a place for fields that it does not declare. Conformances are generated.
public protocol UnknownFieldKeeping: ProtoMessage {
  /// The fields that the message does not declare. They are written after the others.
  var unknownFields: UnknownFields { get set }
}

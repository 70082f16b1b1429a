/// Finds the message types in a message's fields, by reading each field from an empty source.
package struct NestedTypes: FieldSource {
  package typealias Failure = Never

  private var type: (any ProtoMessage.Type)?

  /// The type of the message, or of each message, in a field; nil for a field without messages.
  package static func type(ofField index: Int, in message: any ProtoMessage.Type) -> (any ProtoMessage.Type)? {
    var probe = NestedTypes()
    var message = message.init()
    message.readField(index, from: &probe)
    return probe.type
  }

  package mutating func read<C: ProtoCodec>(_ value: inout C.Value, as codec: C) { find(C.Value.self) }
  package mutating func read<C: ProtoCodec>(_ value: inout C.Value?, as codec: C) { find(C.Value.self) }
  package mutating func read<C: ProtoCodec>(_ values: inout [C.Value], as codec: C) { find(C.Value.self) }
  package mutating func read<K: ProtoMapKey, C: ProtoCodec>(_ map: inout [K.Value: C.Value], keys: K, values: C) {
    find(C.Value.self)
  }

  private mutating func find(_ value: Any.Type) { type = value as? any ProtoMessage.Type }
}

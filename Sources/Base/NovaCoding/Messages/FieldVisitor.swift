/// A sink that looks at some fields of a message. It implements what it looks for; the rest is skipped.
///
/// A field that may be absent is visited as a singular one if it has a value.
package protocol FieldVisitor: FieldSink where Failure == Never {}

extension FieldVisitor {
  package mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {}

  package mutating func write<C: ProtoCodec>(_ value: C.Value?, as codec: C, at index: Int) {
    if let value { write(value, as: codec, at: index) }
  }

  package mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {}

  package mutating func write<K: ProtoMapKey, C: ProtoCodec>(
    _ map: [K.Value: C.Value], keys: K, values: C, at index: Int
  ) {}
}

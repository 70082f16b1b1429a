import NovaCore

/// Protobuf's binary format: a file is one message, and each record an element of field 1.
struct BinaryTables: TableFormat {
  let format = FixtureFormat.protoBinary

  func begin<Record: FixtureRecord>(_ type: Record.Type, _ entity: FixtureEntity, to output: inout [UInt8]) {}

  func append<Record: FixtureRecord>(
    _ record: Record, of entity: FixtureEntity, isFirst: Bool, to output: inout [UInt8]
  ) {
    output.append(number: 1, delimited: ProtoBinaryWriter.bytes(of: record))
  }

  func end(_ output: inout [UInt8]) {}
}

/// Encodes messages in protobuf's binary format, fields in order of declaration, lists of numbers packed.
struct ProtoBinaryWriter: FieldSink {
  typealias Failure = Never

  private(set) var bytes: [UInt8] = []
  private let fields: [FieldDescriptor]

  private init(_ descriptor: MessageDescriptor) { fields = descriptor.fields }

  /// Returns the bytes of a message.
  static func bytes<M: ProtoMessage>(of message: M) -> [UInt8] {
    var writer = ProtoBinaryWriter(M.descriptor)
    message.writeFields(to: &writer)
    return writer.bytes
  }

  mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {
    if !C.isDefault(value) { bytes.append(number: fields[index].number, fields[index].kind, C.plain(value)) }
  }

  mutating func write<C: ProtoCodec>(_ value: C.Value?, as codec: C, at index: Int) {
    if let value { bytes.append(number: fields[index].number, fields[index].kind, C.plain(value)) }
  }

  mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
    let field = fields[index]
    guard field.kind.wireType != .lengthDelimited else {
      for value in values { bytes.append(number: field.number, field.kind, C.plain(value)) }
      return
    }
    guard !values.isEmpty else { return }
    var packed: [UInt8] = []
    for value in values { packed.append(C.plain(value), as: field.kind) }
    bytes.append(number: field.number, delimited: packed)
  }

  mutating func write<K: ProtoMapKey, C: ProtoCodec>(
    _ map: [K.Value: C.Value], keys: K, values: C, at index: Int
  ) {
    let field = fields[index]
    guard case .map(let keyKind) = field.cardinality else { return }
    for (key, value) in map.sorted(by: { $0.key < $1.key }) {
      var entry: [UInt8] = []
      entry.append(number: 1, keyKind, K.plain(key))
      entry.append(number: 2, field.kind, C.plain(value))
      bytes.append(number: field.number, delimited: entry)
    }
  }
}

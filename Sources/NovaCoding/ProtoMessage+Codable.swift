import NovaSupport

// Foundation's coders see the JSON of the message's service: the same names and forms, with defaults; they read either
// style of names.

extension ProtoMessage {
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: FieldCodingKey.self)
    var tally = FieldTally()
    for (index, field) in Self.descriptor.fields.enumerated() {
      let keys = FieldCodingKey.keys(of: field).filter { container.contains($0) }
      guard let key = keys.first else { continue }
      guard keys.count == 1 else {
        throw DecodingError.dataCorruptedError(
          forKey: keys[1], in: container, debugDescription: "Expected the field \(field.name) only once")
      }
      if try container.decodeNil(forKey: key), !field.isNullAValue { continue }
      guard tally.addOneof(of: field) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "Expected only one field of the oneof \(field.oneof ?? "")")
      }
      var source = DecodingContainerSource(container: container, key: key)
      do {
        try readField(index, from: &source)
      } catch  where field.isSecret {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "Expected another value (hidden)")
      }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var sink = EncodingContainerSink(
      container: encoder.container(keyedBy: FieldCodingKey.self), descriptor: Self.descriptor)
    try writeFields(to: &sink)
  }
}

private struct FieldCodingKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }

  static func keys(of field: FieldDescriptor) -> [FieldCodingKey] {
    let names = field.jsonName == field.name ? [field.name] : [field.name, field.jsonName]
    return (names + field.aliases).map { FieldCodingKey(stringValue: $0) }
  }
}

private struct DecodingContainerSource: FieldSource {
  typealias Failure = any Error

  let container: KeyedDecodingContainer<FieldCodingKey>
  let key: FieldCodingKey

  func read<C: ProtoCodec>(_ value: inout C.Value, as codec: C) throws {
    value = C.value(try container.decode(C.Coded.self, forKey: key))
  }

  func read<C: ProtoCodec>(_ value: inout C.Value?, as codec: C) throws {
    value = C.value(try container.decode(C.Coded.self, forKey: key))
  }

  func read<C: ProtoCodec>(_ values: inout [C.Value], as codec: C) throws {
    values = try container.decode([C.Coded].self, forKey: key).map { C.value($0) }
  }

  func read<K: ProtoMapKey, C: ProtoCodec>(
    _ map: inout [K.Value: C.Value], keys: K, values: C
  ) throws {
    for (text, coded) in try container.decode([String: C.Coded].self, forKey: key) {
      guard let name = K.parse(text) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container,
          debugDescription: "Expected \(K.expected), found \"\(text.shortened(to: 40))\"")
      }
      map.updateValue(C.value(coded), forKey: name)
    }
  }
}

private struct EncodingContainerSink: FieldSink {
  typealias Failure = any Error

  var container: KeyedEncodingContainer<FieldCodingKey>
  let descriptor: MessageDescriptor

  private func key(_ index: Int) -> FieldCodingKey {
    let field = descriptor.fields[index]
    return FieldCodingKey(stringValue: descriptor.names == .proto ? field.name : field.jsonName)
  }

  mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) throws {
    try container.encode(C.coded(value), forKey: key(index))
  }

  mutating func write<C: ProtoCodec>(_ value: C.Value?, as codec: C, at index: Int) throws {
    try container.encodeIfPresent(value.map { C.coded($0) }, forKey: key(index))
  }

  mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) throws {
    try container.encode(values.map { C.coded($0) }, forKey: key(index))
  }

  mutating func write<K: ProtoMapKey, C: ProtoCodec>(
    _ map: [K.Value: C.Value], keys: K, values: C, at index: Int
  ) throws {
    var coded: [String: C.Coded] = [:]
    for (name, value) in map { coded.updateValue(C.coded(value), forKey: K.text(name)) }
    try container.encode(coded, forKey: key(index))
  }
}

// Foundation's coders see the JSON of the message's service: the same names and forms, with defaults; they read either
// style of names.

extension ProtoMessage {
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: FieldCodingKey.self)
    for (index, field) in Self.descriptor.fields.enumerated() {
      let keys = FieldCodingKey.keys(of: field).filter { container.contains($0) }
      guard let key = keys.first else { continue }
      guard keys.count == 1 else {
        throw DecodingError.dataCorruptedError(
          forKey: keys[1], in: container, debugDescription: "Expected the field \(field.name) only once")
      }
      if try container.decodeNil(forKey: key) { continue }
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

  func read<C: ProtoCodec>(_ codec: C, _ value: inout C.Value) throws {
    value = C.value(try container.decode(C.Coded.self, forKey: key))
  }

  func read<C: ProtoCodec>(_ codec: C, _ value: inout C.Value?) throws {
    value = C.value(try container.decode(C.Coded.self, forKey: key))
  }

  func read<C: ProtoCodec>(_ codec: C, _ values: inout [C.Value]) throws {
    values = try container.decode([C.Coded].self, forKey: key).map { C.value($0) }
  }

  func read<K: ProtoMapKey, C: ProtoCodec>(_ key: K, _ codec: C, _ values: inout [K.Value: C.Value]) throws {
    for (text, coded) in try container.decode([String: C.Coded].self, forKey: self.key) {
      guard let key = K.parse(text) else {
        throw DecodingError.dataCorruptedError(
          forKey: self.key, in: container,
          debugDescription: "Expected \(K.expected), found \"\(text.shortened(to: 40))\"")
      }
      values[key] = C.value(coded)
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

  mutating func write<C: ProtoCodec>(_ index: Int, _ codec: C, _ value: C.Value) throws {
    try container.encode(C.coded(value), forKey: key(index))
  }

  mutating func write<C: ProtoCodec>(_ index: Int, _ codec: C, _ value: C.Value?) throws {
    try container.encodeIfPresent(value.map { C.coded($0) }, forKey: key(index))
  }

  mutating func write<C: ProtoCodec>(_ index: Int, _ codec: C, _ values: [C.Value]) throws {
    try container.encode(values.map { C.coded($0) }, forKey: key(index))
  }

  mutating func write<K: ProtoMapKey, C: ProtoCodec>(
    _ index: Int, _ key: K, _ codec: C, _ values: [K.Value: C.Value]
  ) throws {
    var coded: [String: C.Coded] = [:]
    for (key, value) in values { coded[K.text(key)] = C.coded(value) }
    try container.encode(coded, forKey: self.key(index))
  }
}

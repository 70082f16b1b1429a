import NovaSupport

// Foundation's coders see the JSON of the message's service: the same names and forms, with defaults; they read either
// style of names.

extension ProtoMessage {
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: FieldCodingKey.self)
    var tally = FieldTally()
    let keys = try container.keys(of: Self.descriptor)
    for index in keys.indices {
      guard let key = keys[index] else { continue }
      let field = Self.descriptor.fields[index]
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
}

extension KeyedDecodingContainer<FieldCodingKey> {
  /// The key of each field; nil for one that is absent. Goes through the keys that are there: most fields have several
  /// names, and looking for each of them takes much longer.
  fileprivate func keys(of descriptor: MessageDescriptor) throws -> [FieldCodingKey?] {
    var keys: [FieldCodingKey?] = Array(repeating: nil, count: descriptor.fields.count)
    for key in allKeys {
      let index = key.stringValue.readUTF8(descriptor.keys.index)
      guard index >= 0 else { continue }
      guard keys[index] == nil else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: self, debugDescription: "Expected the field \(descriptor.fields[index].name) only once")
      }
      keys[index] = key
    }
    return keys
  }
}

/// A form that Foundation decodes several times as fast when it is asked for its own type by name.
private protocol DirectlyDecoded {
  static func decoded(_ container: KeyedDecodingContainer<FieldCodingKey>, _ key: FieldCodingKey) throws -> Self
}

extension String: DirectlyDecoded {
  fileprivate static func decoded(
    _ container: KeyedDecodingContainer<FieldCodingKey>, _ key: FieldCodingKey
  ) throws -> String {
    try container.decode(String.self, forKey: key)
  }
}

extension Bool: DirectlyDecoded {
  fileprivate static func decoded(
    _ container: KeyedDecodingContainer<FieldCodingKey>, _ key: FieldCodingKey
  ) throws -> Bool {
    try container.decode(Bool.self, forKey: key)
  }
}

extension CodedUnixSeconds: DirectlyDecoded {
  fileprivate static func decoded(
    _ container: KeyedDecodingContainer<FieldCodingKey>, _ key: FieldCodingKey
  ) throws -> CodedUnixSeconds {
    // A failure costs more than all else, and texts are rare.
    if let seconds = try? container.decode(Int64.self, forKey: key) { return CodedUnixSeconds(value: seconds) }
    return try container.decode(CodedUnixSeconds.self, forKey: key)
  }
}

extension CodedNumber: DirectlyDecoded {
  fileprivate static func decoded(
    _ container: KeyedDecodingContainer<FieldCodingKey>, _ key: FieldCodingKey
  ) throws -> CodedNumber {
    if let integer = try? container.decode(Int64.self, forKey: key), let number = Number(exactly: integer) {
      return CodedNumber(value: number)
    }
    return try container.decode(CodedNumber.self, forKey: key)
  }
}

private struct DecodingContainerSource: FieldSource {
  typealias Failure = any Error

  let container: KeyedDecodingContainer<FieldCodingKey>
  let key: FieldCodingKey

  func read<C: ProtoCodec>(_ value: inout C.Value, as codec: C) throws { value = C.value(try decoded()) }

  func read<C: ProtoCodec>(_ value: inout C.Value?, as codec: C) throws { value = C.value(try decoded()) }

  private func decoded<Coded: Decodable>() throws -> Coded {
    if let type = Coded.self as? any DirectlyDecoded.Type, let coded = try type.decoded(container, key) as? Coded {
      return coded
    }
    return try container.decode(Coded.self, forKey: key)
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

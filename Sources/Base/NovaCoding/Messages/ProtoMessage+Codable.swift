import NovaSupport

// Foundation's coders use the JSON of the message's service: the same names and forms, including defaults. Decoding
// accepts both styles of names.

extension ProtoMessage {
  public init(from decoder: any Decoder) throws {
    self.init()
    let descriptor = Self.descriptor
    let container = try decoder.container(keyedBy: FieldCodingKey.self)
    var tally = FieldTally()
    var source = DecodingContainerSource(container)
    for index in descriptor.codingKeys.indices {
      let key = try container.key(among: descriptor.codingKeys[index])
      if descriptor.needsTally {
        let field = descriptor.fields[index]
        guard container.contains(key), try !container.decodeNil(forKey: key) || field.isNullAValue else { continue }
        guard tally.addOneof(of: field) else {
          throw DecodingError.dataCorruptedError(
            forKey: key, in: container, debugDescription: "Expected only one field of the oneof \(field.oneof ?? "")")
        }
      }
      source.key = key
      do {
        try readField(index, from: &source)
      } catch  where descriptor.fields[index].isSecret {
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

struct FieldCodingKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// The names of a field for Foundation's coders.
struct FieldCodingKeys: Sendable {
  let first: FieldCodingKey
  let others: [FieldCodingKey]

  init(_ field: FieldDescriptor) {
    let names = field.jsonName == field.name ? field.aliases : [field.jsonName] + field.aliases
    first = FieldCodingKey(stringValue: field.name)
    others = names.map { FieldCodingKey(stringValue: $0) }
  }
}

extension KeyedDecodingContainer<FieldCodingKey> {
  /// The name under which the field is present, if it is.
  fileprivate func key(among names: FieldCodingKeys) throws -> FieldCodingKey {
    var found: FieldCodingKey?
    for key in names.others where contains(key) {
      guard found == nil, !contains(names.first) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: self, debugDescription: "Expected the field \(names.first.stringValue) only once")
      }
      found = key
    }
    return found ?? names.first
  }
}

private struct DecodingContainerSource: FieldSource {
  typealias Failure = any Error

  private let container: KeyedDecodingContainer<FieldCodingKey>
  /// The field to read.
  var key = FieldCodingKey(stringValue: "")

  init(_ container: KeyedDecodingContainer<FieldCodingKey>) { self.container = container }

  func read<C: ProtoCodec>(_ value: inout C.Value, as codec: C) throws {
    _ = try C.decode(&value, from: container, forKey: key)
  }

  func read<C: ProtoCodec>(_ value: inout C.Value?, as codec: C) throws {
    var decoded = C.defaultValue
    if try C.decode(&decoded, from: container, forKey: key) { value = decoded }
  }

  func read<C: ProtoCodec>(_ values: inout [C.Value], as codec: C) throws {
    if let coded = try container.decodeIfPresent([C.Coded].self, forKey: key) { values = C.values(coded) }
  }

  func read<K: ProtoMapKey, C: ProtoCodec>(
    _ map: inout [K.Value: C.Value], keys: K, values: C
  ) throws {
    for (text, coded) in try container.decodeIfPresent([String: C.Coded].self, forKey: key) ?? [:] {
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

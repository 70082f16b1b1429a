import NovaSupport

// Foundation's coders see the JSON of the message's service: the same names and forms, with defaults; they read either
// style of names.

extension ProtoMessage {
  public init(from decoder: any Decoder) throws {
    self.init()
    let descriptor = Self.descriptor
    let container = try decoder.container(keyedBy: FieldCodingKey.self)
    var tally = FieldTally()
    for (index, names) in descriptor.codingKeys.enumerated() {
      let key = try container.key(among: names)
      if descriptor.needsTally {
        let field = descriptor.fields[index]
        guard container.contains(key), try !container.decodeNil(forKey: key) || field.isNullAValue else { continue }
        guard tally.addOneof(of: field) else {
          throw DecodingError.dataCorruptedError(
            forKey: key, in: container, debugDescription: "Expected only one field of the oneof \(field.oneof ?? "")")
        }
      }
      var source = DecodingContainerSource(container: container, key: key, nullIsAValue: names.nullIsAValue)
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
  /// Whether `null` is a value of the field, where it otherwise stands for an absent one.
  let nullIsAValue: Bool

  init(_ field: FieldDescriptor) {
    let names = field.jsonName == field.name ? field.aliases : [field.jsonName] + field.aliases
    first = FieldCodingKey(stringValue: field.name)
    others = names.map { FieldCodingKey(stringValue: $0) }
    nullIsAValue = field.isNullAValue
  }
}

extension KeyedDecodingContainer<FieldCodingKey> {
  /// The name under which a field is there, if it is there.
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

  let container: KeyedDecodingContainer<FieldCodingKey>
  let key: FieldCodingKey
  let nullIsAValue: Bool

  func read<C: ProtoCodec>(_ value: inout C.Value, as codec: C) throws {
    if let coded: C.Coded = try decoded() { value = C.value(coded) }
  }

  func read<C: ProtoCodec>(_ value: inout C.Value?, as codec: C) throws {
    if let coded: C.Coded = try decoded() { value = C.value(coded) }
  }

  func read<C: ProtoCodec>(_ values: inout [C.Value], as codec: C) throws {
    if let all = try container.decodeIfPresent([C.Coded].self, forKey: key) { values = all.map { C.value($0) } }
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

  /// The value in its coded form; nil for an absent one. Foundation is several times as fast when it is asked for its own
  /// types by name.
  private func decoded<Coded: Decodable>() throws -> Coded? {
    if nullIsAValue { return container.contains(key) ? try container.decode(Coded.self, forKey: key) : nil }
    if Coded.self == String.self { return try container.decodeIfPresent(String.self, forKey: key) as? Coded }
    if Coded.self == Bool.self { return try container.decodeIfPresent(Bool.self, forKey: key) as? Coded }
    if Coded.self == CodedUnixSeconds.self, let seconds = integer { return CodedUnixSeconds(value: seconds) as? Coded }
    if Coded.self == CodedNumber<Int64>.self, let integer { return CodedNumber<Int64>(value: integer) as? Coded }
    if Coded.self == CodedNumber<Int32>.self, let integer = integer.flatMap({ Int32(exactly: $0) }) {
      return CodedNumber<Int32>(value: integer) as? Coded
    }
    return try container.decodeIfPresent(Coded.self, forKey: key)
  }

  /// The value if it is a number without a fraction, as integers nearly always are.
  private var integer: Int64? {
    do { return try container.decodeIfPresent(Int64.self, forKey: key) } catch { return nil }
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

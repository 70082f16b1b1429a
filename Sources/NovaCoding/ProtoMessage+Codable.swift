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
      source.nullIsAValue = descriptor.codingKeys[index].nullIsAValue
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
  /// Whether `null` is a value of the field. For other fields, `null` means that the field is absent.
  let nullIsAValue: Bool

  init(_ field: FieldDescriptor) {
    let names = field.jsonName == field.name ? field.aliases : [field.jsonName] + field.aliases
    first = FieldCodingKey(stringValue: field.name)
    others = names.map { FieldCodingKey(stringValue: $0) }
    nullIsAValue = field.isNullAValue
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
  var nullIsAValue = false

  init(_ container: KeyedDecodingContainer<FieldCodingKey>) { self.container = container }

  func read<C: ProtoCodec>(_ value: inout C.Value, as codec: C) throws {
    if try readPlain(C.self, into: &value) == .other { try readCoded(codec) { value = $0 } }
  }

  func read<C: ProtoCodec>(_ value: inout C.Value?, as codec: C) throws {
    var plain = C.defaultValue
    switch try readPlain(C.self, into: &plain) {
    case .taken: value = plain
    case .absent: break
    case .other: try readCoded(codec) { value = $0 }
    }
  }

  func read<C: ProtoCodec>(_ values: inout [C.Value], as codec: C) throws {
    guard let all = try container.decodeIfPresent([C.Coded].self, forKey: key) else { return }
    // Texts and messages stand for themselves.
    values = C.Coded.self == C.Value.self ? unsafeBitCast(all, to: [C.Value].self) : all.map { C.value($0) }
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

  private enum Reading { case taken, absent, other }

  /// Reads a text, a flag or a number as Foundation's own type, for which it is several times as fast as for others.
  ///
  /// - Parameter place: where a value of the codec's type is.
  /// - Returns: `other` for values of another kind, or in another form.
  private func readPlain<Field>(_ codec: Any.Type, into place: UnsafeMutablePointer<Field>) throws -> Reading {
    func taken<Value>(_ value: Value) -> Reading {
      UnsafeMutableRawPointer(place).assumingMemoryBound(to: Value.self).pointee = value
      return .taken
    }
    if codec == StringCodec.self {
      return try container.decodeIfPresent(String.self, forKey: key).map { taken($0) } ?? .absent
    }
    if codec == BoolCodec.self {
      return try container.decodeIfPresent(Bool.self, forKey: key).map { taken($0) } ?? .absent
    }
    do {
      if codec == Int64Codec.self || codec == UnixSecondsCodec.self {
        return try container.decodeIfPresent(Int64.self, forKey: key).map { taken($0) } ?? .absent
      }
      if codec == Int32Codec.self {
        return try container.decodeIfPresent(Int32.self, forKey: key).map { taken(Int($0)) } ?? .absent
      }
    } catch {}
    return .other
  }

  /// Reads a value in its coded form, if it is there.
  // Not inlined: the runtime has to find types for it, even where it is not called.
  @inline(never)
  private func readCoded<C: ProtoCodec>(_ codec: C, _ take: (C.Value) -> Void) throws {
    if nullIsAValue {
      if container.contains(key) { take(C.value(try container.decode(C.Coded.self, forKey: key))) }
    } else if let coded = try container.decodeIfPresent(C.Coded.self, forKey: key) {
      take(C.value(coded))
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

// A decoder of protobuf's JSON mapping on top of Foundation's JSONDecoder, by the design that Google's Swift SDK uses: a
// model is decoded through wrappers of JSONDecoder's own containers, which accept what the mapping allows. Written for this
// benchmark, and only as far as its messages need.

import Foundation

/// Decodes fields by either of their names, integers written as strings, and absent fields as their defaults.
struct ProtoJSONDecoder {
  private let decoder = JSONDecoder()

  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try decoder.decode(Wrapped<Value>.self, from: data).value
  }
}

/// Gives a model a wrapped decoder in place of JSONDecoder's, whose type has no public name.
private struct Wrapped<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws { value = try Value(from: ProtoDecoder(base: decoder)) }
}

private struct ProtoDecoder: Decoder {
  let base: any Decoder
  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Fields(base: try base.container(keyedBy: FieldName.self)))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { Elements(base: try base.unkeyedContainer()) }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    Single(base: try base.singleValueContainer())
  }
}

private struct FieldName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }

  /// `creatorId` for `creator_id`: the name that the mapping prefers. Only looked for where the other is absent.
  var lowerCamelCase: FieldName {
    let words = stringValue.split(separator: "_")
    return FieldName(stringValue: words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.capitalized })
  }
}

/// The fields of a message.
private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<FieldName>
  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] { base.allKeys.compactMap { Key(stringValue: $0.stringValue) } }

  func contains(_ key: Key) -> Bool { name(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try name(key).map { try base.decodeNil(forKey: $0) } ?? true }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try name(key).map { try base.decode(type, forKey: $0) } ?? ""
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try name(key).map { try base.decode(type, forKey: $0) } ?? false
  }

  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    if let name = name(key) { return try base.decode(Wrapped<Value>.self, forKey: name).value }
    if let type = Value.self as? any Defaultable.Type, let value = type.init() as? Value { return value }
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: "the type has no default")
    throw DecodingError.keyNotFound(key, context)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    let name = FieldName(stringValue: key.stringValue)
    return KeyedDecodingContainer(Fields<Nested>(base: try base.nestedContainer(keyedBy: FieldName.self, forKey: name)))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    Elements(base: try base.nestedUnkeyedContainer(forKey: FieldName(stringValue: key.stringValue)))
  }

  func superDecoder() throws -> any Decoder { ProtoDecoder(base: try base.superDecoder()) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder() }

  private func name(_ key: Key) -> FieldName? {
    let name = FieldName(stringValue: key.stringValue)
    if base.contains(name) { return name }
    let other = name.lowerCamelCase
    return base.contains(other) ? other : nil
  }

  private func integer<Value: FixedWidthInteger & Decodable>(_ key: Key) throws -> Value {
    guard let name = name(key) else { return 0 }
    if let number = try? base.decode(Value.self, forKey: name) { return number }
    if let number = Value(try base.decode(String.self, forKey: name)) { return number }
    throw DecodingError.dataCorruptedError(forKey: name, in: base, debugDescription: "expected an integer")
  }
}

/// The elements of a list.
private struct Elements: UnkeyedDecodingContainer {
  var base: any UnkeyedDecodingContainer
  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int? { base.count }
  var isAtEnd: Bool { base.isAtEnd }
  var currentIndex: Int { base.currentIndex }

  mutating func decodeNil() throws -> Bool { try base.decodeNil() }

  mutating func decode(_ type: String.Type) throws -> String { try base.decode(type) }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try base.decode(Wrapped<Value>.self).value
  }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Fields(base: try base.nestedContainer(keyedBy: FieldName.self)))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    Elements(base: try base.nestedUnkeyedContainer())
  }

  mutating func superDecoder() throws -> any Decoder { ProtoDecoder(base: try base.superDecoder()) }
}

/// A value that is neither a message nor a list.
private struct Single: SingleValueDecodingContainer {
  let base: any SingleValueDecodingContainer
  var codingPath: [any CodingKey] { base.codingPath }

  func decodeNil() -> Bool { base.decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try base.decode(type) }
}

/// A type with a value for fields that are absent.
protocol Defaultable {
  init()
}

extension Array: Defaultable {}

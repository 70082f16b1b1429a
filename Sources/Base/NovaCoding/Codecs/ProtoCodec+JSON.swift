/// `google.protobuf.Value`: any JSON value, including `null`.
public struct ValueCodec: ProtoCodec {
  public typealias Coded = JSONValue
  public init() {}
  public static var defaultValue: JSONValue { .null }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> JSONValue {
    try reader.jsonValue(keepsRepeats: false)
  }

  public static func write(_ value: JSONValue, to writer: inout ProtoJSONWriter) { writer.append(json: value) }

  public static func plain(_ value: JSONValue) -> PlainValue { .json(value) }

  // Unlike for other types, `null` is a value, and does not mean that the field is absent.
  public static func decode<Key>(
    _ value: inout JSONValue, from container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> Bool {
    guard container.contains(key) else { return false }
    value = try container.decode(JSONValue.self, forKey: key)
    return true
  }
}

/// `google.protobuf.Struct`: any JSON object.
public struct StructCodec: ProtoCodec {
  public typealias Coded = [String: JSONValue]
  public init() {}
  public static var defaultValue: [String: JSONValue] { [:] }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> [String: JSONValue] {
    var object: [String: JSONValue] = [:]
    guard try reader.open(UInt8(ascii: "{"), expected: "an object") else { return object }
    repeat {
      let (name, start) = try reader.key()
      do throws(ProtoJSONError) {
        try reader.takeColon()
        // Also fails for two names that Swift considers equal, such as two spellings of `é`: a dictionary cannot hold
        // both.
        guard object.updateValue(try reader.jsonValue(keepsRepeats: false), forKey: name) == nil else {
          throw reader.again("the name", at: start)
        }
      } catch {
        throw error.inside(member: name)
      }
    } while try reader.next(closing: UInt8(ascii: "}"))
    return object
  }

  public static func write(_ value: [String: JSONValue], to writer: inout ProtoJSONWriter) {
    writer.append(json: JSONValue(value))
  }

  public static func plain(_ value: [String: JSONValue]) -> PlainValue { .json(JSONValue(value)) }
}

/// `google.protobuf.ListValue`: any JSON list.
public struct ListValueCodec: ProtoCodec {
  public typealias Coded = [JSONValue]
  public init() {}
  public static var defaultValue: [JSONValue] { [] }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> [JSONValue] {
    guard reader.peek() == UInt8(ascii: "[") else { throw reader.unexpected("a list") }
    return try reader.jsonValue(keepsRepeats: false).elements ?? []
  }

  public static func write(_ value: [JSONValue], to writer: inout ProtoJSONWriter) {
    writer.append(json: .array(value))
  }

  public static func plain(_ value: [JSONValue]) -> PlainValue { .json(.array(value)) }
}

/// The one value of `google.protobuf.NullValue`: JSON's `null`.
public struct ProtoNull: Sendable, Hashable, Codable {
  /// Creates the value.
  public init() {}

  public init(from decoder: any Decoder) throws {}

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

/// `google.protobuf.NullValue`. Readers also accept its name and its number.
public struct NullCodec: ProtoCodec {
  public typealias Coded = ProtoNull
  public init() {}
  public static var defaultValue: ProtoNull { ProtoNull() }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> ProtoNull {
    let start = reader.position
    switch try reader.jsonValue(keepsRepeats: false) {
    case .null, .string("NULL_VALUE"), .number("0"): return ProtoNull()
    default:
      reader.position = start
      _ = reader.peek()
      throw reader.unexpected("null")
    }
  }

  public static func write(_ value: ProtoNull, to writer: inout ProtoJSONWriter) { writer.append(literal: "null") }

  public static func plain(_ value: ProtoNull) -> PlainValue { .enumeration(number: 0, name: "NULL_VALUE") }

  // Unlike for other types, `null` is a value, and does not mean that the field is absent.
  public static func decode<Key>(
    _ value: inout ProtoNull, from container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> Bool {
    guard container.contains(key) else { return false }
    value = try container.decode(ProtoNull.self, forKey: key)
    return true
  }
}

extension ProtoCodec where Self == ValueCodec {
  /// `google.protobuf.Value` as ``JSONValue``.
  public static var value: Self { Self() }
}
extension ProtoCodec where Self == StructCodec {
  /// `google.protobuf.Struct` as a dictionary.
  public static var `struct`: Self { Self() }
}
extension ProtoCodec where Self == ListValueCodec {
  /// `google.protobuf.ListValue` as an array.
  public static var listValue: Self { Self() }
}
extension ProtoCodec where Self == NullCodec {
  /// `google.protobuf.NullValue` as ``ProtoNull``.
  public static var null: Self { Self() }
}

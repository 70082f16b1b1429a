import NovaSupport

/// Reads and writes the values of one protobuf type, in JSON and in Foundation's coders.
///
/// Codecs have no state. Generated code names them (`.string`, `.int32`, `.message(Post.self)`), and the compiler
/// specializes the generic code for them.
public protocol ProtoCodec<Value>: Sendable {
  /// The Swift type of a value.
  associatedtype Value: Sendable & Hashable
  /// The form of a value in Foundation's coders.
  associatedtype Coded: Codable

  /// The value of an absent field.
  static var defaultValue: Value { get }
  /// Reads a value. Not called for a `null` that marks an absent field.
  static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> Value
  /// Writes a value.
  static func write(_ value: Value, to writer: inout ProtoJSONWriter)
  /// Whether a singular field with this value can be left out.
  static func isDefault(_ value: Value) -> Bool
  /// The value without its generic type.
  static func plain(_ value: Value) -> PlainValue

  /// The value's form for Foundation's encoders.
  static func coded(_ value: Value) -> Coded
  /// The value of a form that came from a Foundation decoder.
  static func value(_ coded: Coded) -> Value
  /// The values of forms that came from a Foundation decoder.
  static func values(_ coded: [Coded]) -> [Value]
  /// Decodes a field with a Foundation decoder. Codecs of text, flags, and numbers decode Foundation's own type, which is
  /// several times as fast as ``Coded``.
  ///
  /// - Returns: false if the field is absent; then `value` does not change.
  static func decode<Key>(
    _ value: inout Value, from container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> Bool

  #if GRPC
    /// The wire type of a value in protobuf's binary format.
    static var wireType: WireType { get }
    /// Reads a value from protobuf's binary format.
    static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> Value
    /// Reads a value that is merged with the one that was read before, if it is a message, and otherwise replaces it.
    static func merge(into value: inout Value, from reader: inout ProtobufReader) throws(ProtobufError)
    /// Reads a value of a field that may be absent, as ``merge(into:from:)`` does.
    static func merge(into value: inout Value?, from reader: inout ProtobufReader) throws(ProtobufError)
    /// Reads a value, and appends it. Appends nothing if it throws.
    static func append(to values: inout [Value], from reader: inout ProtobufReader) throws(ProtobufError)
    /// Computes the size of a value in protobuf's binary format, with its length if it has one.
    static func measure(_ value: Value, with sizes: inout ProtobufSizes) -> Int
    /// Writes a value in protobuf's binary format.
    static func write(_ value: Value, to writer: inout ProtobufWriter)
  #endif
}

extension ProtoCodec {
  @inlinable
  public static func isDefault(_ value: Value) -> Bool { value == defaultValue }

  public static func values(_ coded: [Coded]) -> [Value] { coded.map { value($0) } }

  public static func decode<Key>(
    _ value: inout Value, from container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> Bool {
    guard let coded = try container.decodeIfPresent(Coded.self, forKey: key) else { return false }
    value = Self.value(coded)
    return true
  }
}

extension ProtoCodec where Coded == Value {
  public static func coded(_ value: Value) -> Coded { value }

  public static func value(_ coded: Coded) -> Value { coded }

  public static func values(_ coded: [Coded]) -> [Value] { coded }
}

/// `string`.
public struct StringCodec: ProtoCodec {
  public typealias Coded = String
  public init() {}
  public static var defaultValue: String { "" }
  @inlinable public static func isDefault(_ value: String) -> Bool { value.isEmpty }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> String {
    try reader.string()
  }

  public static func write(_ value: String, to writer: inout ProtoJSONWriter) { writer.append(string: value) }

  public static func plain(_ value: String) -> PlainValue { .string(value) }

  public static func decode<Key>(
    _ value: inout String, from container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> Bool {
    guard let decoded = try container.decodeIfPresent(String.self, forKey: key) else { return false }
    value = decoded
    return true
  }
}

/// `bool`.
public struct BoolCodec: ProtoCodec {
  public typealias Coded = Bool
  public init() {}
  public static var defaultValue: Bool { false }
  @inlinable public static func isDefault(_ value: Bool) -> Bool { !value }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> Bool { try reader.bool() }

  public static func write(_ value: Bool, to writer: inout ProtoJSONWriter) { writer.append(bool: value) }

  public static func plain(_ value: Bool) -> PlainValue { .bool(value) }

  public static func decode<Key>(
    _ value: inout Bool, from container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> Bool {
    guard let decoded = try container.decodeIfPresent(Bool.self, forKey: key) else { return false }
    value = decoded
    return true
  }
}

/// `bytes`, in JSON as base64. Readers also accept the URL alphabet and missing padding.
public struct BytesCodec: ProtoCodec {
  public typealias Coded = CodedBytes
  public init() {}
  public static var defaultValue: [UInt8] { [] }
  @inlinable public static func isDefault(_ value: [UInt8]) -> Bool { value.isEmpty }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> [UInt8] {
    try reader.parsed("base64") { Base64.decode($0, ignoresUnusedBits: true) }
  }

  public static func write(_ value: [UInt8], to writer: inout ProtoJSONWriter) {
    writer.append(ascii: Base64.encode(value))
  }

  public static func coded(_ value: [UInt8]) -> CodedBytes { CodedBytes(value: value) }
  public static func value(_ coded: CodedBytes) -> [UInt8] { coded.value }

  public static func plain(_ value: [UInt8]) -> PlainValue { .bytes(value) }
}

/// `google.protobuf.Timestamp`.
public struct TimestampCodec: ProtoCodec {
  public typealias Coded = Timestamp
  public init() {}
  public static var defaultValue: Timestamp { Timestamp() }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> Timestamp {
    try reader.parsed("an ISO 8601 time from year 1 to 9999") { Timestamp($0) }
  }

  public static func write(_ value: Timestamp, to writer: inout ProtoJSONWriter) {
    writer.append(timestamp: value)
  }

  public static func plain(_ value: Timestamp) -> PlainValue { .timestamp(value) }
}

/// A message.
public struct MessageCodec<M: ProtoMessage>: ProtoCodec {
  public typealias Coded = M
  public init() {}
  public static var defaultValue: M { M() }

  @inlinable
  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> M {
    var message = M()
    try reader.read(into: &message)
    return message
  }

  public static func write(_ value: M, to writer: inout ProtoJSONWriter) { writer.append(message: value) }

  public static func plain(_ value: M) -> PlainValue { .message(value) }
}

/// An enum.
public struct EnumCodec<E: ProtoEnum>: ProtoCodec {
  public typealias Coded = E
  public init() {}
  public static var defaultValue: E { E() }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> E {
    if reader.peek() == UInt8(ascii: "\"") { return E(name: try reader.string()) }
    return E(rawValue: Int32(try reader.integer(in: .int32, expected: "an enum's name or number")))
  }

  public static func write(_ value: E, to writer: inout ProtoJSONWriter) {
    if let name = value.name { writer.append(string: name) } else { writer.append(integer: Int64(value.rawValue)) }
  }

  public static func plain(_ value: E) -> PlainValue {
    .enumeration(number: value.rawValue, name: value.name)
  }
}

extension ProtoCodec where Self == StringCodec {
  /// `string` as `String`.
  public static var string: Self { Self() }
}
extension ProtoCodec where Self == BoolCodec {
  /// `bool` as `Bool`.
  public static var bool: Self { Self() }
}
extension ProtoCodec where Self == BytesCodec {
  /// `bytes` as `[UInt8]`.
  public static var bytes: Self { Self() }
}
extension ProtoCodec where Self == TimestampCodec {
  /// `google.protobuf.Timestamp` as ``Timestamp``.
  public static var timestamp: Self { Self() }
}
extension ProtoCodec {
  /// A message of the given type.
  public static func message<M>(_ type: M.Type) -> Self where Self == MessageCodec<M> { Self() }

  /// An enum of the given type.
  public static func enumeration<E>(_ type: E.Type) -> Self where Self == EnumCodec<E> { Self() }
}

extension ProtoJSONReader {
  /// Reads a string and converts it to a value.
  mutating func parsed<Value>(
    _ expected: StaticString, _ parse: (String) -> Value?
  ) throws(ProtoJSONError) -> Value {
    guard peek() == UInt8(ascii: "\"") else { throw unexpected(expected) }
    let start = position
    guard let value = parse(try string()) else {
      position = start
      throw unexpected(expected)
    }
    return value
  }
}

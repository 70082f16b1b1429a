import NovaSupport

// Each type has a struct of its own. Generated code in other modules calls these directly, and would call one generic codec
// through its type's metadata.

/// `int32` and its variants, as `Int`, so that callers need no conversions. Reading and writing fail for a value that does
/// not fit in 32 bits.
public struct Int32Codec: ProtoCodec {
  public typealias Coded = CodedNumber<Int32>
  public init() {}
  public static var defaultValue: Int { 0 }
  @inlinable public static func isDefault(_ value: Int) -> Bool { value == 0 }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> Int {
    Int(try reader.integer(in: .int32, expected: "an integer from -2147483648 to 2147483647"))
  }

  public static func write(_ value: Int, to writer: inout ProtoJSONWriter) {
    writer.append(integer: Int64(value), in: .int32)
  }

  public static func coded(_ value: Int) -> Coded { Coded(checking: value) }
  public static func value(_ coded: Coded) -> Int { Int(coded.value) }

  public static func plain(_ value: Int) -> PlainValue { .integer(Int64(value)) }

  public static func decode<Key>(
    _ value: inout Int, from container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> Bool {
    do {
      guard let decoded = try container.decodeIfPresent(Int32.self, forKey: key) else { return false }
      value = Int(decoded)
    } catch {
      value = Self.value(try container.decode(Coded.self, forKey: key))
    }
    return true
  }
}

/// `uint32` and `fixed32`, as `Int`, like ``Int32Codec``.
public struct UInt32Codec: ProtoCodec {
  public typealias Coded = CodedNumber<UInt32>
  public init() {}
  public static var defaultValue: Int { 0 }
  @inlinable public static func isDefault(_ value: Int) -> Bool { value == 0 }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> Int {
    Int(try reader.integer(in: .uint32, expected: "an integer from 0 to 4294967295"))
  }

  public static func write(_ value: Int, to writer: inout ProtoJSONWriter) {
    writer.append(integer: Int64(value), in: .uint32)
  }

  public static func coded(_ value: Int) -> Coded { Coded(checking: value) }
  public static func value(_ coded: Coded) -> Int { Int(coded.value) }

  public static func plain(_ value: Int) -> PlainValue { .integer(Int64(value)) }
}

/// `int64` and its variants, written as a number, or as a string with ``ProtoJSONOptions/writesInt64AsString``.
public struct Int64Codec: ProtoCodec {
  public typealias Coded = CodedNumber<Int64>
  public init() {}
  public static var defaultValue: Int64 { 0 }
  @inlinable public static func isDefault(_ value: Int64) -> Bool { value == 0 }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> Int64 {
    Int64(try reader.integer(in: .int64, expected: "a 64-bit integer"))
  }

  public static func write(_ value: Int64, to writer: inout ProtoJSONWriter) {
    writer.append(integer64: value.magnitude, isNegative: value < 0)
  }

  public static func coded(_ value: Int64) -> Coded { Coded(value: value) }
  public static func value(_ coded: Coded) -> Int64 { coded.value }

  public static func plain(_ value: Int64) -> PlainValue { .integer(value) }

  public static func decode<Key>(
    _ value: inout Int64, from container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> Bool {
    try container.decodeInteger(&value, forKey: key) { Self.value(try container.decode(Coded.self, forKey: key)) }
  }
}

/// `uint64` and `fixed64`, written like ``Int64Codec``.
public struct UInt64Codec: ProtoCodec {
  public typealias Coded = CodedNumber<UInt64>
  public init() {}
  public static var defaultValue: UInt64 { 0 }
  @inlinable public static func isDefault(_ value: UInt64) -> Bool { value == 0 }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> UInt64 {
    UInt64(try reader.integer(in: .uint64, expected: "an unsigned 64-bit integer"))
  }

  public static func write(_ value: UInt64, to writer: inout ProtoJSONWriter) {
    writer.append(integer64: value, isNegative: false)
  }

  public static func coded(_ value: UInt64) -> Coded { Coded(value: value) }
  public static func value(_ coded: Coded) -> UInt64 { coded.value }

  public static func plain(_ value: UInt64) -> PlainValue { .unsigned(value) }
}

/// Unix seconds in an `int64` named `…_at`. Reading also accepts ISO 8601 and `yyyy-MM-dd HH:mm:ss`, which two known
/// backends send instead, and drops fractions of a second.
public struct UnixSecondsCodec: ProtoCodec {
  public typealias Coded = CodedUnixSeconds
  public init() {}
  public static var defaultValue: Int64 { 0 }
  @inlinable public static func isDefault(_ value: Int64) -> Bool { value == 0 }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> Int64 {
    try reader.unixSeconds()
  }

  public static func write(_ value: Int64, to writer: inout ProtoJSONWriter) { writer.append(unixSeconds: value) }

  public static func coded(_ value: Int64) -> Coded { Coded(value: value) }
  public static func value(_ coded: Coded) -> Int64 { coded.value }

  public static func plain(_ value: Int64) -> PlainValue { .integer(value) }

  public static func decode<Key>(
    _ value: inout Int64, from container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> Bool {
    try container.decodeInteger(&value, forKey: key) { Self.value(try container.decode(Coded.self, forKey: key)) }
  }
}

/// `double`. NaN and the infinities are strings.
public struct DoubleCodec: ProtoCodec {
  public typealias Coded = CodedFloatingPoint<Double>
  public init() {}
  public static var defaultValue: Double { 0 }
  // Minus zero is not the default, because leaving it out would lose the sign.
  @inlinable public static func isDefault(_ value: Double) -> Bool { value.bitPattern == 0 }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> Double {
    try reader.floatingPoint("a number within a double's range")
  }

  public static func write(_ value: Double, to writer: inout ProtoJSONWriter) {
    writer.append(floatingPoint: value.description)
  }

  public static func coded(_ value: Double) -> Coded { Coded(value: value) }
  public static func value(_ coded: Coded) -> Double { coded.value }

  public static func plain(_ value: Double) -> PlainValue { .double(value) }
}

/// `float`, like ``DoubleCodec``.
public struct FloatCodec: ProtoCodec {
  public typealias Coded = CodedFloatingPoint<Float>
  public init() {}
  public static var defaultValue: Float { 0 }
  @inlinable public static func isDefault(_ value: Float) -> Bool { value.bitPattern == 0 }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> Float {
    try reader.floatingPoint("a number within a float's range")
  }

  public static func write(_ value: Float, to writer: inout ProtoJSONWriter) {
    writer.append(floatingPoint: value.description)
  }

  public static func coded(_ value: Float) -> Coded { Coded(value: value) }
  public static func value(_ coded: Coded) -> Float { coded.value }

  public static func plain(_ value: Float) -> PlainValue { .float(value) }
}

extension ProtoCodec where Self == Int32Codec {
  /// `int32`, `sint32`, `sfixed32` as `Int`.
  public static var int32: Self { Self() }
}
extension ProtoCodec where Self == UInt32Codec {
  /// `uint32`, `fixed32` as `Int`.
  public static var uint32: Self { Self() }
}
extension ProtoCodec where Self == Int64Codec {
  /// `int64`, `sint64`, `sfixed64` as `Int64`.
  public static var int64: Self { Self() }
}
extension ProtoCodec where Self == UInt64Codec {
  /// `uint64`, `fixed64` as `UInt64`.
  public static var uint64: Self { Self() }
}
extension ProtoCodec where Self == UnixSecondsCodec {
  /// Unix seconds as `Int64`.
  public static var unixSeconds: Self { Self() }
}
extension ProtoCodec where Self == DoubleCodec {
  /// `double` as `Double`.
  public static var double: Self { Self() }
}
extension ProtoCodec where Self == FloatCodec {
  /// `float` as `Float`.
  public static var float: Self { Self() }
}

extension KeyedDecodingContainer {
  /// Decodes an integer as most programs write it, or else another form of it. The concrete type makes that fast.
  fileprivate func decodeInteger(
    _ value: inout Int64, forKey key: Key, otherwise decodeOther: () throws -> Int64
  ) throws -> Bool {
    do {
      guard let decoded = try decodeIfPresent(Int64.self, forKey: key) else { return false }
      value = decoded
    } catch {
      value = try decodeOther()
    }
    return true
  }
}

extension ProtoJSONReader {
  mutating func unixSeconds() throws(ProtoJSONError) -> Int64 {
    let expected: StaticString = "Unix seconds or an ISO 8601 time"
    guard peek() == UInt8(ascii: "\"") else { return Int64(try integer(in: .int64, expected: expected)) }
    let start = position
    if let time = Timestamp(lenient: try string()) { return time.seconds }
    position = start
    return Int64(try integer(in: .int64, expected: expected))
  }
}

extension ClosedRange<Int128> {
  static var int32: Self { Int128(Int32.min)...Int128(Int32.max) }
  static var uint32: Self { 0...Int128(UInt32.max) }
  static var int64: Self { Int128(Int64.min)...Int128(Int64.max) }
  static var uint64: Self { 0...Int128(UInt64.max) }
}

/// `int32` and its kin, as `Int` so that callers need no conversions. A value that does not fit 32 bits is an error
/// when it is read and when it is written.
public struct Int32Codec: ProtoCodec {
  public typealias Coded = CodedNumber<Int32>
  @inlinable public init() {}
  @inlinable public static var defaultValue: Int { 0 }

  @inlinable
  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> Int {
    Int(try reader.integer(Int32.self, expected: "an integer from -2147483648 to 2147483647"))
  }

  @inlinable
  public static func write(_ value: Int, to writer: inout ProtoJSONWriter) {
    writer.append(integer: value, within: Int32.self)
  }

  public static func coded(_ value: Int) -> Coded { Coded(checking: value) }
  public static func value(_ coded: Coded) -> Int { Int(coded.value) }

  @inlinable public static func plain(_ value: Int) -> PlainValue { .integer(Int64(value)) }
}

/// `uint32` and `fixed32`, as `Int` like ``Int32Codec``.
public struct UInt32Codec: ProtoCodec {
  public typealias Coded = CodedNumber<UInt32>
  @inlinable public init() {}
  @inlinable public static var defaultValue: Int { 0 }

  @inlinable
  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> Int {
    Int(try reader.integer(UInt32.self, expected: "an integer from 0 to 4294967295"))
  }

  @inlinable
  public static func write(_ value: Int, to writer: inout ProtoJSONWriter) {
    writer.append(integer: value, within: UInt32.self)
  }

  public static func coded(_ value: Int) -> Coded { Coded(checking: value) }
  public static func value(_ coded: Coded) -> Int { Int(coded.value) }

  @inlinable public static func plain(_ value: Int) -> PlainValue { .integer(Int64(value)) }
}

/// `int64` and its kin; written as a number, or as a string where the writer is told so.
public struct Int64Codec: ProtoCodec {
  public typealias Coded = CodedNumber<Int64>
  @inlinable public init() {}
  @inlinable public static var defaultValue: Int64 { 0 }

  @inlinable
  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> Int64 {
    try reader.integer(Int64.self, expected: "a 64-bit integer")
  }

  @inlinable
  public static func write(_ value: Int64, to writer: inout ProtoJSONWriter) { writer.append(integer64: value) }

  public static func coded(_ value: Int64) -> Coded { Coded(value: value) }
  public static func value(_ coded: Coded) -> Int64 { coded.value }

  @inlinable public static func plain(_ value: Int64) -> PlainValue { .integer(value) }
}

/// `uint64` and `fixed64`; written as ``Int64Codec`` does.
public struct UInt64Codec: ProtoCodec {
  public typealias Coded = CodedNumber<UInt64>
  @inlinable public init() {}
  @inlinable public static var defaultValue: UInt64 { 0 }

  @inlinable
  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> UInt64 {
    try reader.integer(UInt64.self, expected: "an unsigned 64-bit integer")
  }

  @inlinable
  public static func write(_ value: UInt64, to writer: inout ProtoJSONWriter) { writer.append(integer64: value) }

  public static func coded(_ value: UInt64) -> Coded { Coded(value: value) }
  public static func value(_ coded: Coded) -> UInt64 { coded.value }

  @inlinable public static func plain(_ value: UInt64) -> PlainValue { .unsigned(value) }
}

/// Unix seconds in an `int64` named `…_at`. Two backends are known to send ISO 8601 or `yyyy-MM-dd HH:mm:ss` in its
/// place; both are read, and a fraction of a second is dropped.
public struct UnixSecondsCodec: ProtoCodec {
  public typealias Coded = CodedUnixSeconds
  @inlinable public init() {}
  @inlinable public static var defaultValue: Int64 { 0 }

  @inlinable
  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> Int64 {
    try reader.unixSeconds()
  }

  @inlinable
  public static func write(_ value: Int64, to writer: inout ProtoJSONWriter) { writer.append(unixSeconds: value) }

  public static func coded(_ value: Int64) -> Coded { Coded(value: value) }
  public static func value(_ coded: Coded) -> Int64 { coded.value }

  @inlinable public static func plain(_ value: Int64) -> PlainValue { .integer(value) }
}

/// `double`; NaN and the infinities stand as strings.
public struct DoubleCodec: ProtoCodec {
  public typealias Coded = CodedFloatingPoint<Double>
  @inlinable public init() {}
  @inlinable public static var defaultValue: Double { 0 }
  // Minus zero is not the default: leaving it out would lose the sign.
  @inlinable public static func isDefault(_ value: Double) -> Bool { value.bitPattern == 0 }

  @inlinable
  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> Double {
    try reader.floatingPoint(Double.self, expected: "a number within a double's range")
  }

  @inlinable
  public static func write(_ value: Double, to writer: inout ProtoJSONWriter) { writer.append(floatingPoint: value) }

  public static func coded(_ value: Double) -> Coded { Coded(value: value) }
  public static func value(_ coded: Coded) -> Double { coded.value }

  @inlinable public static func plain(_ value: Double) -> PlainValue { .double(value) }
}

/// `float`; as ``DoubleCodec``.
public struct FloatCodec: ProtoCodec {
  public typealias Coded = CodedFloatingPoint<Float>
  @inlinable public init() {}
  @inlinable public static var defaultValue: Float { 0 }
  @inlinable public static func isDefault(_ value: Float) -> Bool { value.bitPattern == 0 }

  @inlinable
  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> Float {
    try reader.floatingPoint(Float.self, expected: "a number within a float's range")
  }

  @inlinable
  public static func write(_ value: Float, to writer: inout ProtoJSONWriter) { writer.append(floatingPoint: value) }

  public static func coded(_ value: Float) -> Coded { Coded(value: value) }
  public static func value(_ coded: Coded) -> Float { coded.value }

  @inlinable public static func plain(_ value: Float) -> PlainValue { .float(value) }
}

extension ProtoCodec where Self == Int32Codec {
  /// `int32`, `sint32`, `sfixed32` as `Int`.
  @inlinable public static var int32: Self { Self() }
}
extension ProtoCodec where Self == UInt32Codec {
  /// `uint32`, `fixed32` as `Int`.
  @inlinable public static var uint32: Self { Self() }
}
extension ProtoCodec where Self == Int64Codec {
  /// `int64`, `sint64`, `sfixed64` as `Int64`.
  @inlinable public static var int64: Self { Self() }
}
extension ProtoCodec where Self == UInt64Codec {
  /// `uint64`, `fixed64` as `UInt64`.
  @inlinable public static var uint64: Self { Self() }
}
extension ProtoCodec where Self == UnixSecondsCodec {
  /// Unix seconds as `Int64`.
  @inlinable public static var unixSeconds: Self { Self() }
}
extension ProtoCodec where Self == DoubleCodec {
  /// `double` as `Double`.
  @inlinable public static var double: Self { Self() }
}
extension ProtoCodec where Self == FloatCodec {
  /// `float` as `Float`.
  @inlinable public static var float: Self { Self() }
}

extension ProtoJSONReader {
  @usableFromInline
  mutating func unixSeconds() throws(ProtoJSONError) -> Int64 {
    let expected: StaticString = "Unix seconds or an ISO 8601 time"
    guard peek() == UInt8(ascii: "\"") else { return try integer(Int64.self, expected: expected) }
    let start = position
    if let time = Timestamp(lenient: try string()) { return time.seconds }
    position = start
    return try integer(Int64.self, expected: expected)
  }
}

/// A codec whose values are those of another one in Swift and in JSON. Only protobuf's binary format differs.
public protocol DerivedCodec: ProtoCodec where Value == Base.Value, Coded == Base.Coded {
  /// The codec with the same values.
  associatedtype Base: ProtoCodec
}

extension DerivedCodec {
  public static var defaultValue: Base.Value { Base.defaultValue }

  @inlinable
  public static func isDefault(_ value: Base.Value) -> Bool { Base.isDefault(value) }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> Base.Value {
    try Base.read(from: &reader)
  }

  public static func write(_ value: Base.Value, to writer: inout ProtoJSONWriter) { Base.write(value, to: &writer) }

  public static func plain(_ value: Base.Value) -> PlainValue { Base.plain(value) }

  public static func coded(_ value: Base.Value) -> Base.Coded { Base.coded(value) }

  public static func value(_ coded: Base.Coded) -> Base.Value { Base.value(coded) }

  public static func values(_ coded: [Base.Coded]) -> [Base.Value] { Base.values(coded) }

  public static func decode<Key>(
    _ value: inout Base.Value, from container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> Bool {
    try Base.decode(&value, from: container, forKey: key)
  }
}

/// `sint32`, as ``Int32Codec`` but for the binary format, where small negative numbers are short.
public struct SInt32Codec: DerivedCodec {
  public typealias Base = Int32Codec
  public init() {}
}

/// `sint64`, as ``Int64Codec`` but for the binary format, where small negative numbers are short.
public struct SInt64Codec: DerivedCodec {
  public typealias Base = Int64Codec
  public init() {}
}

/// `fixed32`, as ``UInt32Codec`` but for the binary format, where each value has four bytes.
public struct Fixed32Codec: DerivedCodec {
  public typealias Base = UInt32Codec
  public init() {}
}

/// `fixed64`, as ``UInt64Codec`` but for the binary format, where each value has eight bytes.
public struct Fixed64Codec: DerivedCodec {
  public typealias Base = UInt64Codec
  public init() {}
}

/// `sfixed32`, as ``Int32Codec`` but for the binary format, where each value has four bytes.
public struct SFixed32Codec: DerivedCodec {
  public typealias Base = Int32Codec
  public init() {}
}

/// `sfixed64`, as ``Int64Codec`` but for the binary format, where each value has eight bytes.
public struct SFixed64Codec: DerivedCodec {
  public typealias Base = Int64Codec
  public init() {}
}

/// A wrapper such as `google.protobuf.StringValue`: a message with one field, as the optional value of that field.
public struct WrapperCodec<Base: ProtoCodec>: DerivedCodec {
  public init() {}
}

extension ProtoCodec where Self == SInt32Codec {
  /// `sint32` as `Int`.
  public static var sint32: Self { Self() }
}
extension ProtoCodec where Self == SInt64Codec {
  /// `sint64` as `Int64`.
  public static var sint64: Self { Self() }
}
extension ProtoCodec where Self == Fixed32Codec {
  /// `fixed32` as `Int`.
  public static var fixed32: Self { Self() }
}
extension ProtoCodec where Self == Fixed64Codec {
  /// `fixed64` as `UInt64`.
  public static var fixed64: Self { Self() }
}
extension ProtoCodec where Self == SFixed32Codec {
  /// `sfixed32` as `Int`.
  public static var sfixed32: Self { Self() }
}
extension ProtoCodec where Self == SFixed64Codec {
  /// `sfixed64` as `Int64`.
  public static var sfixed64: Self { Self() }
}
extension ProtoCodec {
  /// A wrapper of values of a codec.
  public static func wrapped<C>(_ codec: C) -> Self where Self == WrapperCodec<C> { Self() }
}

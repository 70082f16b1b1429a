#if GRPC
  // The wire forms of numbers. Each is written out, because a shared generic form would be called through metadata.

  extension Int32Codec {
    public static var wireType: WireType { .varint }

    @inlinable
    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> Int {
      Int(Int32(truncatingIfNeeded: try reader.varint()))
    }

    @inlinable
    public static func measure(_ value: Int, with sizes: inout ProtobufSizes) -> Int {
      sizes.check(int32: value)
      return ProtobufSizes.varint(UInt64(truncatingIfNeeded: value))
    }

    @inlinable
    public static func write(_ value: Int, to writer: inout ProtobufWriter) {
      writer.append(varint: UInt64(truncatingIfNeeded: value))
    }
  }

  extension UInt32Codec {
    public static var wireType: WireType { .varint }

    @inlinable
    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> Int {
      Int(UInt32(truncatingIfNeeded: try reader.varint()))
    }

    @inlinable
    public static func measure(_ value: Int, with sizes: inout ProtobufSizes) -> Int {
      sizes.check(uint32: value)
      return ProtobufSizes.varint(UInt64(truncatingIfNeeded: value))
    }

    @inlinable
    public static func write(_ value: Int, to writer: inout ProtobufWriter) {
      writer.append(varint: UInt64(truncatingIfNeeded: value))
    }
  }

  extension Int64Codec {
    public static var wireType: WireType { .varint }

    @inlinable
    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> Int64 {
      Int64(bitPattern: try reader.varint())
    }

    @inlinable
    public static func measure(_ value: Int64, with sizes: inout ProtobufSizes) -> Int {
      ProtobufSizes.varint(UInt64(bitPattern: value))
    }

    @inlinable
    public static func write(_ value: Int64, to writer: inout ProtobufWriter) {
      writer.append(varint: UInt64(bitPattern: value))
    }
  }

  extension UnixSecondsCodec {
    public static var wireType: WireType { .varint }

    @inlinable
    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> Int64 {
      Int64(bitPattern: try reader.varint())
    }

    @inlinable
    public static func measure(_ value: Int64, with sizes: inout ProtobufSizes) -> Int {
      ProtobufSizes.varint(UInt64(bitPattern: value))
    }

    @inlinable
    public static func write(_ value: Int64, to writer: inout ProtobufWriter) {
      writer.append(varint: UInt64(bitPattern: value))
    }
  }

  extension UInt64Codec {
    public static var wireType: WireType { .varint }

    @inlinable
    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> UInt64 { try reader.varint() }

    @inlinable
    public static func measure(_ value: UInt64, with sizes: inout ProtobufSizes) -> Int { ProtobufSizes.varint(value) }

    @inlinable
    public static func write(_ value: UInt64, to writer: inout ProtobufWriter) { writer.append(varint: value) }
  }

  extension DoubleCodec {
    public static var wireType: WireType { .fixed64 }

    @inlinable
    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> Double {
      Double(bitPattern: try reader.fixed64())
    }

    @inlinable
    public static func measure(_ value: Double, with sizes: inout ProtobufSizes) -> Int { 8 }

    @inlinable
    public static func write(_ value: Double, to writer: inout ProtobufWriter) {
      writer.append(fixed64: value.bitPattern)
    }
  }

  extension FloatCodec {
    public static var wireType: WireType { .fixed32 }

    @inlinable
    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> Float {
      Float(bitPattern: try reader.fixed32())
    }

    @inlinable
    public static func measure(_ value: Float, with sizes: inout ProtobufSizes) -> Int { 4 }

    @inlinable
    public static func write(_ value: Float, to writer: inout ProtobufWriter) {
      writer.append(fixed32: value.bitPattern)
    }
  }

  extension BoolCodec {
    public static var wireType: WireType { .varint }

    @inlinable
    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> Bool {
      try reader.varint() != 0
    }

    @inlinable
    public static func measure(_ value: Bool, with sizes: inout ProtobufSizes) -> Int { 1 }

    @inlinable
    public static func write(_ value: Bool, to writer: inout ProtobufWriter) { writer.append(byte: value ? 1 : 0) }
  }

  extension EnumCodec {
    public static var wireType: WireType { .varint }

    @inlinable
    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> E {
      E(rawValue: Int32(truncatingIfNeeded: try reader.varint()))
    }

    @inlinable
    public static func measure(_ value: E, with sizes: inout ProtobufSizes) -> Int {
      if let name = value.unknownName { sizes.report("an enum value with a number", found: name) }
      return ProtobufSizes.varint(UInt64(truncatingIfNeeded: value.rawValue))
    }

    @inlinable
    public static func write(_ value: E, to writer: inout ProtobufWriter) {
      writer.append(varint: UInt64(truncatingIfNeeded: value.rawValue))
    }
  }

  extension ProtobufSizes {
    @inlinable @inline(__always)
    mutating func check(int32 value: Int) {
      if Int32(exactly: value) == nil { report("an integer from -2147483648 to 2147483647", found: "\(value)") }
    }

    @inlinable @inline(__always)
    mutating func check(uint32 value: Int) {
      if UInt32(exactly: value) == nil { report("an integer from 0 to 4294967295", found: "\(value)") }
    }
  }
#endif

#if GRPC
  extension SInt32Codec {
    public static var wireType: WireType { .varint }

    @inlinable
    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> Int {
      let bits = UInt32(truncatingIfNeeded: try reader.varint())
      return Int(Int32(bitPattern: bits >> 1) ^ -Int32(bitPattern: bits & 1))
    }

    @inlinable
    public static func measure(_ value: Int, with sizes: inout ProtobufSizes) -> Int {
      sizes.check(int32: value)
      return ProtobufSizes.varint(UInt64(zigzag: Int64(value)))
    }

    @inlinable
    public static func write(_ value: Int, to writer: inout ProtobufWriter) {
      writer.append(varint: UInt64(zigzag: Int64(value)))
    }
  }

  extension SInt64Codec {
    public static var wireType: WireType { .varint }

    @inlinable
    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> Int64 {
      let bits = try reader.varint()
      return Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
    }

    @inlinable
    public static func measure(_ value: Int64, with sizes: inout ProtobufSizes) -> Int {
      ProtobufSizes.varint(UInt64(zigzag: value))
    }

    @inlinable
    public static func write(_ value: Int64, to writer: inout ProtobufWriter) {
      writer.append(varint: UInt64(zigzag: value))
    }
  }

  extension UInt64 {
    /// Maps 0, -1, 1, -2 … to 0, 1, 2, 3 …
    @inlinable @inline(__always)
    init(zigzag value: Int64) { self = UInt64(bitPattern: value << 1 ^ value >> 63) }
  }

  extension Fixed32Codec {
    public static var wireType: WireType { .fixed32 }

    @inlinable
    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> Int {
      Int(try reader.fixed32())
    }

    @inlinable
    public static func measure(_ value: Int, with sizes: inout ProtobufSizes) -> Int {
      sizes.check(uint32: value)
      return 4
    }

    @inlinable
    public static func write(_ value: Int, to writer: inout ProtobufWriter) {
      writer.append(fixed32: UInt32(truncatingIfNeeded: value))
    }
  }

  extension SFixed32Codec {
    public static var wireType: WireType { .fixed32 }

    @inlinable
    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> Int {
      Int(Int32(bitPattern: try reader.fixed32()))
    }

    @inlinable
    public static func measure(_ value: Int, with sizes: inout ProtobufSizes) -> Int {
      sizes.check(int32: value)
      return 4
    }

    @inlinable
    public static func write(_ value: Int, to writer: inout ProtobufWriter) {
      writer.append(fixed32: UInt32(truncatingIfNeeded: value))
    }
  }

  extension Fixed64Codec {
    public static var wireType: WireType { .fixed64 }

    @inlinable
    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> UInt64 { try reader.fixed64() }

    @inlinable
    public static func measure(_ value: UInt64, with sizes: inout ProtobufSizes) -> Int { 8 }

    @inlinable
    public static func write(_ value: UInt64, to writer: inout ProtobufWriter) { writer.append(fixed64: value) }
  }

  extension SFixed64Codec {
    public static var wireType: WireType { .fixed64 }

    @inlinable
    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> Int64 {
      Int64(bitPattern: try reader.fixed64())
    }

    @inlinable
    public static func measure(_ value: Int64, with sizes: inout ProtobufSizes) -> Int { 8 }

    @inlinable
    public static func write(_ value: Int64, to writer: inout ProtobufWriter) {
      writer.append(fixed64: UInt64(bitPattern: value))
    }
  }
#endif

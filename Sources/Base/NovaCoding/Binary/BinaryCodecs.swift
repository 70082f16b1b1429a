#if GRPC
  import NovaSupport

  extension ProtoCodec {
    @inlinable
    public static func merge(into value: inout Value, from reader: inout ProtobufReader) throws(ProtobufError) {
      value = try read(from: &reader)
    }

    @inlinable
    public static func merge(into value: inout Value?, from reader: inout ProtobufReader) throws(ProtobufError) {
      value = try read(from: &reader)
    }

    @inlinable
    public static func append(to values: inout [Value], from reader: inout ProtobufReader) throws(ProtobufError) {
      values.append(try read(from: &reader))
    }
  }

  extension StringCodec {
    public static var wireType: WireType { .lengthDelimited }

    @inlinable
    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> String { try reader.string() }

    @inlinable
    public static func merge(into value: inout String, from reader: inout ProtobufReader) throws(ProtobufError) {
      try reader.read(into: &value)
    }

    @inlinable
    public static func measure(_ value: String, with sizes: inout ProtobufSizes) -> Int {
      ProtobufSizes.delimited(value.utf8.count)
    }

    @inlinable
    public static func write(_ value: String, to writer: inout ProtobufWriter) { writer.append(string: value) }
  }

  extension TypedTextCodec {
    public static var wireType: WireType { .lengthDelimited }

    @inlinable
    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> T {
      T(rawValue: try reader.string())
    }

    @inlinable
    public static func measure(_ value: T, with sizes: inout ProtobufSizes) -> Int {
      ProtobufSizes.delimited(value.rawValue.utf8.count)
    }

    @inlinable
    public static func write(_ value: T, to writer: inout ProtobufWriter) { writer.append(string: value.rawValue) }
  }

  extension BytesCodec {
    public static var wireType: WireType { .lengthDelimited }

    @inlinable
    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> [UInt8] { try reader.bytes() }

    @inlinable
    public static func measure(_ value: [UInt8], with sizes: inout ProtobufSizes) -> Int {
      ProtobufSizes.delimited(value.count)
    }

    @inlinable
    public static func write(_ value: [UInt8], to writer: inout ProtobufWriter) {
      value.withUnsafeBufferPointer { writer.append(delimited: $0) }
    }
  }

  extension MessageCodec {
    public static var wireType: WireType { .lengthDelimited }

    @inlinable
    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> M {
      var message = M()
      try reader.read(into: &message)
      return message
    }

    @inlinable
    public static func merge(into value: inout M, from reader: inout ProtobufReader) throws(ProtobufError) {
      try reader.read(into: &value)
    }

    @inlinable
    public static func merge(into value: inout M?, from reader: inout ProtobufReader) throws(ProtobufError) {
      if value == nil { value = M() }
      try value?.merge(from: &reader)
    }

    // Reads a message where it stays, because copying it takes longer than reading a small one.
    @inlinable
    public static func append(to values: inout [M], from reader: inout ProtobufReader) throws(ProtobufError) {
      values.append(M())
      do throws(ProtobufError) {
        try reader.read(into: &values[values.count - 1])
      } catch {
        values.removeLast()
        throw error
      }
    }

    @inlinable
    public static func measure(_ value: M, with sizes: inout ProtobufSizes) -> Int { sizes.measure(message: value) }

    @inlinable
    public static func write(_ value: M, to writer: inout ProtobufWriter) { writer.append(message: value) }
  }

  extension ProtoMessage {
    @inlinable
    mutating func merge(from reader: inout ProtobufReader) throws(ProtobufError) { try reader.read(into: &self) }
  }
#endif

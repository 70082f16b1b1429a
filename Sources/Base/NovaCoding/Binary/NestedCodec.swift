#if GRPC
  /// A codec of values that are messages in protobuf's binary format, but not in Swift: times, wrappers, JSON.
  public protocol NestedCodec: ProtoCodec {
    /// Reads the value of the message's field with this tag. Returns false if it has no such field.
    static func readPart(
      _ tag: UInt32, into value: inout Value, from reader: inout ProtobufReader
    ) throws(ProtobufError) -> Bool
    /// Adds the sizes of the message's fields to `sizes`.
    static func measureParts(of value: Value, with sizes: inout ProtobufSizes)
    /// Writes the message's fields.
    static func writeParts(of value: Value, to writer: inout ProtobufWriter)
  }

  extension NestedCodec {
    public static var wireType: WireType { .lengthDelimited }

    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> Value {
      var value = defaultValue
      try merge(into: &value, from: &reader)
      return value
    }

    public static func merge(into value: inout Value, from reader: inout ProtobufReader) throws(ProtobufError) {
      try reader.readMessage { reader, tag throws(ProtobufError) in try readPart(tag, into: &value, from: &reader) }
    }

    public static func merge(into value: inout Value?, from reader: inout ProtobufReader) throws(ProtobufError) {
      var merged = value ?? defaultValue
      value = nil
      try merge(into: &merged, from: &reader)
      value = merged
    }

    public static func measure(_ value: Value, with sizes: inout ProtobufSizes) -> Int {
      sizes.measure { measureParts(of: value, with: &$0) }
    }

    public static func write(_ value: Value, to writer: inout ProtobufWriter) {
      writer.appendNestedSize()
      writeParts(of: value, to: &writer)
    }
  }

  extension WrapperCodec: NestedCodec {
    private static var tag: UInt8 { 1 << 3 | Base.wireType.rawValue }

    public static func readPart(
      _ tag: UInt32, into value: inout Base.Value, from reader: inout ProtobufReader
    ) throws(ProtobufError) -> Bool {
      guard tag == UInt32(self.tag) else { return false }
      try Base.merge(into: &value, from: &reader)
      return true
    }

    public static func measureParts(of value: Base.Value, with sizes: inout ProtobufSizes) {
      if Base.isDefault(value) { return }
      let size = Base.measure(value, with: &sizes)
      sizes.total += 1 + size
    }

    public static func writeParts(of value: Base.Value, to writer: inout ProtobufWriter) {
      if Base.isDefault(value) { return }
      writer.append(byte: tag)
      Base.write(value, to: &writer)
    }
  }
#endif

#if GRPC
  /// The codecs of the well-known types with a JSON form of their own, by name.
  enum WellKnownCodecs {
    static func codec(named name: String) -> (any ProtoCodec.Type)? {
      switch name {
      case "google.protobuf.Any": AnyCodec.self
      case "google.protobuf.Duration": DurationCodec.self
      case "google.protobuf.FieldMask": FieldMaskCodec.self
      case "google.protobuf.ListValue": ListValueCodec.self
      case "google.protobuf.Struct": StructCodec.self
      case "google.protobuf.Timestamp": TimestampCodec.self
      case "google.protobuf.Value": ValueCodec.self
      case "google.protobuf.BoolValue": WrapperCodec<BoolCodec>.self
      case "google.protobuf.BytesValue": WrapperCodec<BytesCodec>.self
      case "google.protobuf.DoubleValue": WrapperCodec<DoubleCodec>.self
      case "google.protobuf.FloatValue": WrapperCodec<FloatCodec>.self
      case "google.protobuf.Int32Value": WrapperCodec<Int32Codec>.self
      case "google.protobuf.Int64Value": WrapperCodec<Int64Codec>.self
      case "google.protobuf.StringValue": WrapperCodec<StringCodec>.self
      case "google.protobuf.UInt32Value": WrapperCodec<UInt32Codec>.self
      case "google.protobuf.UInt64Value": WrapperCodec<UInt64Codec>.self
      default: nil
      }
    }
  }

  extension ProtoCodec {
    /// Reads a message in the binary format, and returns its JSON.
    static func json(ofMessage bytes: [UInt8], options: ProtobufOptions) throws -> JSONValue {
      let delimited = ProtobufWriter.length(bytes.count) + bytes
      let value = try delimited.withUnsafeBufferPointer { bytes throws(ProtobufError) in
        guard let start = bytes.baseAddress else { return defaultValue }
        var reader = ProtobufReader(bytes, at: start, options: options)
        return try read(from: &reader)
      }
      var json = ProtoJSONWriter(options: .response)
      write(value, to: &json)
      if let problem = json.problem { throw problem }
      return try JSONValue(jsonUTF8: json.bytes.array)
    }

    /// Reads a value in JSON, and returns the message in the binary format.
    static func message(ofJSON json: JSONValue) throws -> [UInt8] {
      let value = try json.jsonUTF8.withUnsafeBufferPointer { bytes throws(ProtoJSONError) in
        var reader = ProtoJSONReader(bytes)
        return try read(from: &reader)
      }
      var sizes = ProtobufSizes(ProtoEmpty.descriptor)
      let size = measure(value, with: &sizes)
      let delimited = try ProtobufWriter.bytes(size, after: 0, sizes: sizes) { write(value, to: &$0) }
      let length = delimited.firstIndex { $0 < 0x80 } ?? 0
      return Array(delimited[(length + 1)...])
    }
  }

  extension ProtobufWriter {
    /// The bytes of a length.
    package static func length(_ count: Int) -> [UInt8] {
      var output = WireOutput()
      output.append(varint: UInt64(count))
      return output.bytes
    }
  }
#endif

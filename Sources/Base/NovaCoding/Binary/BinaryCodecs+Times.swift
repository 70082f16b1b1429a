#if GRPC
  /// Reads and writes seconds and nanoseconds: the fields of `google.protobuf.Timestamp` and `google.protobuf.Duration`.
  private enum SecondsCodec {
    static func readPart(
      _ tag: UInt32, seconds: inout Int64, nanoseconds: inout Int32, from reader: inout ProtobufReader
    ) throws(ProtobufError) -> Bool {
      switch tag {
      case 0x08: seconds = Int64(bitPattern: try reader.varint())
      case 0x10: nanoseconds = Int32(truncatingIfNeeded: try reader.varint())
      default: return false
      }
      return true
    }

    static func measure(seconds: Int64, nanoseconds: Int32, with sizes: inout ProtobufSizes) {
      if seconds != 0 { sizes.total += 1 + ProtobufSizes.varint(UInt64(bitPattern: seconds)) }
      if nanoseconds != 0 { sizes.total += 1 + ProtobufSizes.varint(UInt64(truncatingIfNeeded: nanoseconds)) }
    }

    static func write(seconds: Int64, nanoseconds: Int32, to writer: inout ProtobufWriter) {
      if seconds != 0 {
        writer.append(byte: 0x08)
        writer.append(varint: UInt64(bitPattern: seconds))
      }
      if nanoseconds != 0 {
        writer.append(byte: 0x10)
        writer.append(varint: UInt64(truncatingIfNeeded: nanoseconds))
      }
    }
  }

  extension TimestampCodec: NestedCodec {
    public static func readPart(
      _ tag: UInt32, into value: inout Timestamp, from reader: inout ProtobufReader
    ) throws(ProtobufError) -> Bool {
      try SecondsCodec.readPart(tag, seconds: &value.seconds, nanoseconds: &value.nanoseconds, from: &reader)
    }

    public static func measureParts(of value: Timestamp, with sizes: inout ProtobufSizes) {
      SecondsCodec.measure(seconds: value.seconds, nanoseconds: value.nanoseconds, with: &sizes)
    }

    public static func writeParts(of value: Timestamp, to writer: inout ProtobufWriter) {
      SecondsCodec.write(seconds: value.seconds, nanoseconds: value.nanoseconds, to: &writer)
    }
  }

  extension DurationCodec: NestedCodec {
    public static func readPart(
      _ tag: UInt32, into value: inout Duration, from reader: inout ProtobufReader
    ) throws(ProtobufError) -> Bool {
      var (seconds, nanoseconds) = value.parts
      guard try SecondsCodec.readPart(tag, seconds: &seconds, nanoseconds: &nanoseconds, from: &reader) else {
        return false
      }
      value = Duration(secondsComponent: seconds, attosecondsComponent: Int64(nanoseconds) * 1_000_000_000)
      return true
    }

    public static func measureParts(of value: Duration, with sizes: inout ProtobufSizes) {
      SecondsCodec.measure(seconds: value.parts.seconds, nanoseconds: value.parts.nanoseconds, with: &sizes)
    }

    public static func writeParts(of value: Duration, to writer: inout ProtobufWriter) {
      SecondsCodec.write(seconds: value.parts.seconds, nanoseconds: value.parts.nanoseconds, to: &writer)
    }
  }

  extension Duration {
    /// The seconds, and the nanoseconds within the second. Digits beyond nanoseconds are dropped.
    fileprivate var parts: (seconds: Int64, nanoseconds: Int32) {
      (components.seconds, Int32(components.attoseconds / 1_000_000_000))
    }
  }

  extension FieldMaskCodec: NestedCodec {
    public static func readPart(
      _ tag: UInt32, into value: inout FieldMask, from reader: inout ProtobufReader
    ) throws(ProtobufError) -> Bool {
      guard tag == 0x0A else { return false }
      value.paths.append(try reader.string())
      return true
    }

    public static func measureParts(of value: FieldMask, with sizes: inout ProtobufSizes) {
      for path in value.paths { sizes.total += 1 + ProtobufSizes.delimited(path.utf8.count) }
    }

    public static func writeParts(of value: FieldMask, to writer: inout ProtobufWriter) {
      for path in value.paths {
        writer.append(byte: 0x0A)
        writer.append(string: path)
      }
    }
  }
#endif

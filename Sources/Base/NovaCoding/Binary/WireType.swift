#if GRPC
  /// How protobuf's binary format marks the end of a value: the lowest three bits of a field's tag.
  public enum WireType: UInt8, Sendable {
    /// An integer in one to ten bytes.
    case varint = 0
    /// Eight bytes.
    case fixed64 = 1
    /// A length, and as many bytes.
    case lengthDelimited = 2
    /// The start of a group, an old form of message.
    case startGroup = 3
    /// The end of a group.
    case endGroup = 4
    /// Four bytes.
    case fixed32 = 5
  }

  extension FieldKind {
    /// The wire type of a value.
    package var wireType: WireType {
      switch self {
      case .double, .fixed64, .sfixed64: .fixed64
      case .float, .fixed32, .sfixed32: .fixed32
      case .string, .bytes, .timestamp, .message: .lengthDelimited
      case .int32, .int64, .uint32, .uint64, .sint32, .sint64, .bool, .unixSeconds, .enumeration: .varint
      }
    }
  }

  extension FieldDescriptor {
    /// The wire type with which the field is written. A packed list of numbers is one value with a length.
    package var wireType: WireType {
      switch cardinality {
      case .singular, .optional: kind.wireType
      case .repeated: isPacked ? .lengthDelimited : kind.wireType
      case .map: .lengthDelimited
      }
    }

    /// The other wire type with which the field is read: that of a packed list for one that is not, and the other way
    /// round.
    var otherWireType: WireType {
      guard case .repeated = cardinality else { return wireType }
      return isPacked ? kind.wireType : .lengthDelimited
    }
  }
#endif

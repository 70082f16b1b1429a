#if GRPC
  import NovaCoding

  /// The types of google.protobuf that have a JSON form of their own.
  enum WellKnownType: String {
    case any = "Any"
    case timestamp = "Timestamp"
    case duration = "Duration"
    case fieldMask = "FieldMask"
    case structure = "Struct"
    case value = "Value"
    case list = "ListValue"
    case doubleValue = "DoubleValue"
    case floatValue = "FloatValue"
    case int64Value = "Int64Value"
    case uint64Value = "UInt64Value"
    case int32Value = "Int32Value"
    case uint32Value = "UInt32Value"
    case boolValue = "BoolValue"
    case stringValue = "StringValue"
    case bytesValue = "BytesValue"

    private static let package = "google.protobuf."

    init?(messageNamed name: String) {
      guard name.hasPrefix(Self.package) else { return nil }
      self.init(rawValue: String(name.dropFirst(Self.package.count)))
    }

    /// The type of the value that the message wraps; nil for the other types.
    var wrapped: FieldKind? {
      switch self {
      case .any, .timestamp, .duration, .fieldMask, .structure, .value, .list: nil
      case .doubleValue: .double
      case .floatValue: .float
      case .int64Value: .int64
      case .uint64Value: .uint64
      case .int32Value: .int32
      case .uint32Value: .uint32
      case .boolValue: .bool
      case .stringValue: .string
      case .bytesValue: .bytes
      }
    }
  }

  extension FieldKind {
    /// Whether `null` is a value of this type, and does not mean that the field is absent.
    var hasNullValue: Bool {
      self == .message("google.protobuf.Value") || self == .enumeration("google.protobuf.NullValue")
    }
  }
#endif

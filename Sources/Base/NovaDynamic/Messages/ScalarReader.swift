#if GRPC
  import NovaCoding
  import NovaSupport

  /// Converts single values of the binary form into JSON.
  struct ScalarReader {
    let schema: ProtoSchema

    /// Whether a value has the form that the type requires. Others count as unknown fields.
    static func accepts(_ value: WireValue, _ field: SchemaField) -> Bool {
      switch (value, field.kind) {
      case (.varint, .int32), (.varint, .int64), (.varint, .uint32), (.varint, .uint64), (.varint, .sint32),
        (.varint, .sint64), (.varint, .bool), (.varint, .enumeration), (.varint, .unixSeconds),
        (.fixed64, .double), (.fixed64, .fixed64), (.fixed64, .sfixed64),
        (.fixed32, .float), (.fixed32, .fixed32), (.fixed32, .sfixed32),
        (.bytes, .string), (.bytes, .bytes):
        true
      case (.bytes, .message): !field.isGroup
      case (.group, .message): field.isGroup
      default: false
      }
    }

    /// The values of a list of numbers that is written as one value; nil for other types.
    static func unpacked(_ bytes: ArraySlice<UInt8>, _ kind: FieldKind) throws(DynamicError) -> [WireValue]? {
      var (rest, values) = (WireFields(bytes), [WireValue]())
      while !rest.isAtEnd {
        switch kind {
        case .string, .bytes, .message, .timestamp: return nil
        case .double, .fixed64, .sfixed64: values.append(.fixed64(try rest.fixed(8)))
        case .float, .fixed32, .sfixed32: values.append(.fixed32(UInt32(truncatingIfNeeded: try rest.fixed(4))))
        default: values.append(.varint(try rest.varint()))
        }
      }
      return values
    }

    /// Converts a value that is not a message; nil for a number that a closed enum does not have.
    func json(_ value: WireValue, _ field: SchemaField) throws(DynamicError) -> JSONValue? {
      switch (value, field.kind) {
      case (.varint(let bits), .enumeration(let name)): try json(Int32(truncatingIfNeeded: bits), enumeration: name)
      case (.varint(let bits), let kind): Self.json(varint: bits, kind)
      case (.fixed64(let bits), .double): Self.json("\(Double(bitPattern: bits))")
      case (.fixed64(let bits), .sfixed64): .string("\(Int64(bitPattern: bits))")
      case (.fixed64(let bits), _): .string("\(bits)")
      case (.fixed32(let bits), .float): Self.json("\(Float(bitPattern: bits))")
      case (.fixed32(let bits), .sfixed32): .number("\(Int32(bitPattern: bits))")
      case (.fixed32(let bits), _): .number("\(bits)")
      case (.bytes(let bytes), .bytes): .string(String(decoding: Base64.encode(Array(bytes)), as: UTF8.self))
      case (.bytes(let bytes), _): .string(try text(bytes, field))
      case (.group, _): nil
      }
    }

    private static func json(varint bits: UInt64, _ kind: FieldKind) -> JSONValue {
      switch kind {
      case .int32: .number("\(Int32(truncatingIfNeeded: bits))")
      case .uint32: .number("\(UInt32(truncatingIfNeeded: bits))")
      case .sint32: .number("\(Int32(truncatingIfNeeded: zigzag(bits & 0xFFFF_FFFF)))")
      case .sint64: .string("\(zigzag(bits))")
      case .uint64: .string("\(bits)")
      case .bool: .bool(bits != 0)
      default: .string("\(Int64(bitPattern: bits))")
      }
    }

    private static func zigzag(_ bits: UInt64) -> Int64 { Int64(bitPattern: bits >> 1) ^ -Int64(bits & 1) }

    /// A floating-point number from Swift's description, which is the shortest text that means the same.
    static func json(_ text: String) -> JSONValue {
      switch text {
      case "nan", "-nan": .string("NaN")
      case "inf": .string("Infinity")
      case "-inf": .string("-Infinity")
      default: text.hasPrefix("nan") ? .string("NaN") : .number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
      }
    }

    private func json(_ number: Int32, enumeration name: String) throws(DynamicError) -> JSONValue? {
      if name == "google.protobuf.NullValue" { return .null }
      let enumeration = try schema.requireEnumeration(name)
      if let name = enumeration.name(of: number) { return .string(name) }
      return enumeration.isClosed ? nil : .number("\(number)")
    }

    private func text(_ bytes: ArraySlice<UInt8>, _ field: SchemaField) throws(DynamicError) -> String {
      if let text = String(validating: bytes, as: UTF8.self) { return text }
      guard !field.checksUTF8 else { throw DynamicError("expected UTF-8, found other bytes") }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// The value of an absent field that is not a message.
    func defaultValue(_ kind: FieldKind) throws(DynamicError) -> JSONValue {
      switch kind {
      case .int64, .uint64, .sint64, .fixed64, .sfixed64, .unixSeconds: return .string("0")
      case .bool: return .bool(false)
      case .string, .bytes: return .string("")
      case .enumeration("google.protobuf.NullValue"): return .null
      case .enumeration(let name):
        guard let first = try schema.requireEnumeration(name).values.first else { return .number("0") }
        return .string(first.name)
      default: return .number("0")
      }
    }
  }
#endif

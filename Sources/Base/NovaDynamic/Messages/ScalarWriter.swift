#if GRPC
  import NovaCoding
  import NovaSupport

  /// Converts single values from JSON into the binary form.
  struct ScalarWriter {
    let schema: ProtoSchema

    /// Appends a value without its tag.
    func append(_ json: JSONValue, as kind: FieldKind, to output: inout WireOutput) throws(DynamicError) {
      switch kind {
      case .double: output.append(fixed: (try number(json, "a number") as Double).bitPattern, count: 8)
      case .float: output.append(fixed: UInt64((try number(json, "a number that fits") as Float).bitPattern), count: 4)
      case .int32: output.append(varint: UInt64(bitPattern: Int64(try integer(json) as Int32)))
      case .int64, .unixSeconds: output.append(varint: UInt64(bitPattern: try integer(json)))
      case .uint32: output.append(varint: UInt64(try integer(json) as UInt32))
      case .uint64: output.append(varint: try integer(json))
      case .sint32: output.append(varint: UInt64(truncatingIfNeeded: Self.zigzag(Int64(try integer(json) as Int32))))
      case .sint64: output.append(varint: Self.zigzag(try integer(json)))
      case .fixed32: output.append(fixed: UInt64(try integer(json) as UInt32), count: 4)
      case .sfixed32: output.append(fixed: UInt64(UInt32(bitPattern: try integer(json))), count: 4)
      case .fixed64: output.append(fixed: try integer(json), count: 8)
      case .sfixed64: output.append(fixed: UInt64(bitPattern: try integer(json)), count: 8)
      case .bool:
        guard case .bool(let bool) = json else { throw .expected("true or false", found: json) }
        output.append(varint: bool ? 1 : 0)
      case .string:
        guard let text = json.stringValue else { throw .expected("a string", found: json) }
        output.append(sized: text.utf8Bytes)
      case .bytes:
        guard let bytes = json.stringValue.flatMap(Base64.decode) else { throw .expected("base64", found: json) }
        output.append(sized: bytes)
      case .enumeration(let name):
        output.append(varint: UInt64(bitPattern: Int64(try enumeration(json, named: name))))
      case .message, .timestamp: throw .expected("a value that is no message", found: json)
      }
    }

    private static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

    private func integer<T: FixedWidthInteger>(_ json: JSONValue) throws(DynamicError) -> T {
      let text: String? =
        switch json {
        case .number(let text), .string(let text): text
        default: nil
        }
      guard let value = text.flatMap({ DecimalNumber($0)?.integer }).flatMap({ T(exactly: $0) }) else {
        throw .expected("an integer from \(T.min) to \(T.max)", found: json)
      }
      return value
    }

    private func number<T: BinaryFloatingPoint & LosslessStringConvertible>(
      _ json: JSONValue, _ expected: String
    ) throws(DynamicError) -> T {
      let text: String? =
        switch json {
        case .number(let text), .string(let text): text
        default: nil
        }
      guard let value = text.flatMap({ T(protoJSON: $0) }) else { throw .expected(expected, found: json) }
      return value
    }

    private func enumeration(_ json: JSONValue, named name: String) throws(DynamicError) -> Int32 {
      if name == "google.protobuf.NullValue", case .null = json { return 0 }
      let enumeration = try schema.requireEnumeration(name)
      let number =
        switch json {
        case .string(let text): enumeration.number(of: text)
        case .number(let text): DecimalNumber(text)?.integer.flatMap { Int32(exactly: $0) }
        default: nil as Int32?
        }
      guard let number, !enumeration.isClosed || enumeration.name(of: number) != nil else {
        let names = enumeration.values.prefix(20).map(\.name).joined(separator: ", ").printable(to: 400)
        throw .expected("one of \(names)\(enumeration.values.count > 20 ? ", …" : "")", found: json)
      }
      return number
    }
  }

  extension WireOutput {
    /// Appends a length and the bytes.
    mutating func append(sized value: [UInt8]) {
      append(varint: UInt64(value.count))
      append(raw: value)
    }

    /// Whether this is one value, the default of its type.
    var isDefault: Bool { bytes.allSatisfy { $0 == 0 } }
  }
#endif

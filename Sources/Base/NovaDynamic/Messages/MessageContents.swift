#if GRPC
  import NovaCoding

  /// The values of a message's known fields, by the rules for repeated occurrences: of a single value the last one
  /// counts, messages are merged, and of a oneof the last field counts.
  struct MessageContents {
    private(set) var values: [Int: (field: SchemaField, values: [WireValue])] = [:]

    init(_ bytes: ArraySlice<UInt8>, of message: SchemaMessage, in schema: ProtoSchema) throws(DynamicError) {
      var fields = WireFields(bytes)
      while let next = try fields.next() {
        guard let field = schema.field(numbered: next.number, of: message) else { continue }
        if ScalarReader.accepts(next.value, field) {
          add([next.value], to: field, of: message)
        } else if field.isRepeated, case .bytes(let packed) = next.value,
          let unpacked = try ScalarReader.unpacked(packed, field.kind)
        {
          add(unpacked, to: field, of: message)
        }
      }
    }

    private mutating func add(_ new: [WireValue], to field: SchemaField, of message: SchemaMessage) {
      if let oneof = field.oneof {
        for other in message.fields where other.oneof == oneof && other.number != field.number {
          values[other.number] = nil
        }
      }
      if field.isRepeated {
        values[field.number, default: (field, [])].values += new
      } else if case .message = field.kind, let earlier = values[field.number]?.values.first {
        values[field.number] = (field, new.map { earlier.merged(with: $0) })
      } else {
        values[field.number] = (field, new)
      }
    }
  }

  extension WireValue {
    /// Two occurrences of a message as one: their fields one after another.
    fileprivate func merged(with other: WireValue) -> WireValue {
      switch (self, other) {
      case (.bytes(let first), .bytes(let second)): .bytes(first + second)
      case (.group(let first), .group(let second)): .group(first + second)
      default: other
      }
    }

    /// The bytes of a message.
    var messageBytes: ArraySlice<UInt8> {
      switch self {
      case .bytes(let bytes), .group(let bytes): bytes
      default: []
      }
    }
  }
#endif

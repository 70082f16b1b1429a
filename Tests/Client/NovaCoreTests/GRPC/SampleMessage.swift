#if GRPC
  import NovaCore
  import NovaRegistry

  /// Messages with a value in every field, made from their descriptors.
  enum SampleMessage {
    private static let texts = ["süß ☺", "日本語", "😈", "a\"b\\c", "tab\tline\n", "\u{0}nul", "plain"]

    /// A message of a type, with a value in every field.
    static func make(_ type: any ProtoMessage.Type) throws -> any ProtoMessage {
      try type.init(jsonUTF8: json(type.descriptor, depth: 0).jsonUTF8)
    }

    private static func json(_ message: MessageDescriptor, depth: Int) -> JSONValue {
      var members: [JSONValue.Member] = []
      var taken: Set<String> = []
      for field in message.fields {
        // One field of each oneof.
        if let oneof = field.oneof, !taken.insert(oneof).inserted { continue }
        let values = (0..<3).map { value(field.kind, field, index: $0, depth: depth) }
        let content: JSONValue =
          switch field.cardinality {
          case .singular, .optional: values[0]
          case .repeated: .array(values)
          case .map: .object(zip(["one", "zwei ☺", ""], values).map { JSONValue.Member(name: $0, value: $1) })
          }
        members.append(JSONValue.Member(name: field.name, value: content))
      }
      return .object(members)
    }

    private static func value(_ kind: FieldKind, _ field: FieldDescriptor, index: Int, depth: Int) -> JSONValue {
      let number = field.number * 10 + index
      return switch kind {
      case .bool: .bool(true)
      case .string: .string("\(field.name) \(index) \(texts[number % texts.count])")
      case .bytes: .string("AAH/")
      case .double: .string(String(Double(number) / 3))
      case .float: .string(String(Double(number) / 8))
      case .int32, .sint32, .sfixed32: .string(String(-number))
      case .uint32, .fixed32: .string(String(UInt32.max - UInt32(number)))
      case .int64, .sint64, .sfixed64: .string(String(Int64.min + Int64(number)))
      case .uint64, .fixed64: .string(String(UInt64.max - UInt64(number)))
      case .unixSeconds: .string(String(1_700_000_000 + number))
      case .timestamp: .string("2026-11-22T02:41:54.\(100 + number % 900)Z")
      case .message(let name):
        RPCRegistry.nova.message(named: name).map { json($0.descriptor, depth: depth + 1) } ?? .object([])
      case .enumeration: .string("1")
      }
    }
  }

  extension ProtoMessage {
    /// Whether another message has the same type and fields.
    func equals(_ other: any ProtoMessage) -> Bool { other as? Self == self }
  }
#endif

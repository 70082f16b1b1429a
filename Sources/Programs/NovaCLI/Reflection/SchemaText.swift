#if GRPC
  import NovaDynamic
  import NovaSDK

  /// Types and services as the lines of a .proto file.
  struct SchemaText {
    private(set) var lines: [String] = []
    private let schema: ProtoSchema

    init(_ schema: ProtoSchema) { self.schema = schema }

    mutating func add(_ service: SchemaService) {
      lines.append("service \(Self.shortName(service.name)) {")
      for method in service.methods { lines.append("  \(Self.line(method))") }
      lines.append("}")
    }

    static func line(_ method: SchemaMethod) -> String {
      let request = (method.isClientStreaming ? "stream " : "") + method.requestType
      let response = (method.isServerStreaming ? "stream " : "") + method.responseType
      return "rpc \(method.name)(\(request)) returns (\(response));"
    }

    mutating func add(_ enumeration: SchemaEnum) {
      lines.append("enum \(Self.shortName(enumeration.name)) {")
      for value in enumeration.values { lines.append("  \(value.name) = \(value.number);") }
      lines.append("}")
    }

    mutating func add(_ message: SchemaMessage) {
      lines.append("message \(Self.shortName(message.name)) {")
      var oneof: Int?
      for field in message.fields {
        if field.oneof != oneof, oneof != nil { lines.append("  }") }
        if let index = field.oneof, index != oneof {
          lines.append("  oneof \(message.oneofs.indices.contains(index) ? message.oneofs[index] : "") {")
        }
        oneof = field.oneof
        lines.append((oneof == nil ? "  " : "    ") + line(field))
      }
      if oneof != nil { lines.append("  }") }
      lines.append("}")
      for field in schema.extensions(of: message.name) {
        lines += ["", "extend \(message.name) {", "  // In JSON: \"[\(field.fullName)]\"", "  \(line(field))", "}"]
      }
    }

    private func line(_ field: SchemaField) -> String {
      let name =
        field.jsonName == FieldDescriptor.lowerCamelCase(field.name) ? "" : " [json_name = \"\(field.jsonName)\"]"
      return "\(Self.type(field, in: schema)) \(field.name) = \(field.number)\(name);"
    }

    /// The type of a field with its label: `repeated string`, `map<string, int32>`.
    static func type(_ field: SchemaField, in schema: ProtoSchema) -> String {
      if let entry = (try? schema.mapEntry(of: field)) ?? nil {
        return "map<\(entry.key.kind.protoName), \(entry.value.kind.protoName)>"
      }
      let kind = field.kind.protoName
      if field.isRepeated { return "repeated \(kind)" }
      if field.isRequired { return "required \(kind)" }
      if case .message = field.kind { return kind }
      return field.hasPresence && field.oneof == nil ? "optional \(kind)" : kind
    }

    private static func shortName(_ name: String) -> String {
      name.parts(between: ".", keepsEmpty: false).last ?? name
    }
  }

  extension FieldKind {
    /// The name of the type in a .proto file, with its package.
    fileprivate var protoName: String {
      switch self {
      case .message(let name), .enumeration(let name): name
      case .unixSeconds: "int64"
      case .timestamp: "google.protobuf.Timestamp"
      default: "\(self)"
      }
    }
  }
#endif

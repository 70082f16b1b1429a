#if GRPC
  package import NovaCoding
  import NovaSupport

  /// Converts messages from proto3 JSON into the binary form, by their descriptors.
  ///
  /// Names of fields are those of JSON or of the .proto file.
  package struct DynamicWriter {
    let schema: ProtoSchema
    private let ignoresUnknownFields: Bool
    private let scalars: ScalarWriter

    /// - Parameter ignoresUnknownFields: whether fields that the message does not have are left out. Otherwise they are
    ///   an error.
    package init(_ schema: ProtoSchema, ignoresUnknownFields: Bool = false) {
      self.schema = schema
      self.ignoresUnknownFields = ignoresUnknownFields
      scalars = ScalarWriter(schema: schema)
    }

    /// Converts a message of the type with this full name. Fields are written in the order of their numbers.
    package func bytes(_ json: JSONValue, as type: String) throws(DynamicError) -> [UInt8] {
      try bytes(json, as: try schema.requireMessage(type))
    }

    func bytes(_ json: JSONValue, as message: SchemaMessage) throws(DynamicError) -> [UInt8] {
      if let type = WellKnownType(messageNamed: message.name) { return try bytes(json, as: type) }
      guard let members = json.memberList else { throw .expected("an object", found: json) }
      return try bytes(members, as: message)
    }

    func bytes(_ members: [JSONValue.Member], as message: SchemaMessage) throws(DynamicError) -> [UInt8] {
      var fields: [Int: [UInt8]] = [:]
      var oneofs: Set<Int> = []
      for member in members {
        guard let field = try field(member.name, of: message) else { continue }
        guard fields[field.number] == nil else { throw DynamicError("the field occurs twice", at: field.key) }
        fields[field.number] = try bytes(member.value, of: field)
        guard let oneof = field.oneof, !isAbsent(member.value, of: field) else { continue }
        guard oneofs.insert(oneof).inserted else {
          let name = message.oneofs.indices.contains(oneof) ? message.oneofs[oneof] : "oneof"
          throw DynamicError("expected at most one field of \(name), found another one", at: field.key)
        }
      }
      for field in message.fields where field.isRequired && fields[field.number]?.isEmpty != false {
        throw DynamicError("the field is required", at: field.key)
      }
      return fields.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    private func field(_ name: String, of message: SchemaMessage) throws(DynamicError) -> SchemaField? {
      if let field = schema.field(named: name, of: message) { return field }
      guard !ignoresUnknownFields else { return nil }
      let names = message.fields.prefix(20).map(\.jsonName).joined(separator: ", ").printable(to: 400)
      let known = message.fields.isEmpty ? "it has none" : "its fields are \(names)"
      throw DynamicError(
        "\(message.name) has no such field; \(known)\(message.fields.count > 20 ? ", …" : "")", at: name)
    }

    private func isAbsent(_ json: JSONValue, of field: SchemaField) -> Bool {
      if case .null = json { field.isRepeated || !field.kind.hasNullValue } else { false }
    }

    /// The field with its tags; empty for an absent one.
    private func bytes(_ json: JSONValue, of field: SchemaField) throws(DynamicError) -> [UInt8] {
      guard !isAbsent(json, of: field) else { return [] }
      var output = WireOutput()
      do throws(DynamicError) {
        if let entry = try schema.mapEntry(of: field) {
          try append(map: json, of: field, entry, to: &output)
        } else if field.isRepeated {
          try append(list: json, of: field, to: &output)
        } else {
          try append(json, of: field, to: &output)
        }
      } catch {
        throw error.inside(field.key)
      }
      return output.bytes
    }

    private func append(_ json: JSONValue, of field: SchemaField, to output: inout WireOutput) throws(DynamicError) {
      if case .message(let type) = field.kind {
        return append(message: try bytes(json, as: try schema.requireMessage(type)), of: field, to: &output)
      }
      var value = WireOutput()
      try scalars.append(json, as: field.kind, to: &value)
      guard field.hasPresence || field.isRepeated || !value.isDefault else { return }
      output.append(tag: field.number, field.kind.wireType)
      output.append(raw: value.bytes)
    }

    private func append(message bytes: [UInt8], of field: SchemaField, to output: inout WireOutput) {
      guard field.isGroup else { return output.append(field.number, bytes: bytes) }
      output.append(tag: field.number, .startGroup)
      output.append(raw: bytes)
      output.append(tag: field.number, .endGroup)
    }

    private func append(list json: JSONValue, of field: SchemaField, to output: inout WireOutput) throws(DynamicError) {
      guard let elements = json.elements else { throw .expected("a list", found: json) }
      var packed = WireOutput()
      for (index, element) in elements.enumerated() {
        do throws(DynamicError) {
          if case .null = element, !field.kind.hasNullValue { throw .expected("a value", found: element) }
          if field.isPacked {
            try scalars.append(element, as: field.kind, to: &packed)
          } else {
            try append(element, of: field, to: &output)
          }
        } catch {
          throw error.inside(element: index)
        }
      }
      if field.isPacked, !elements.isEmpty { output.append(field.number, bytes: packed.bytes) }
    }

    private func append(
      map json: JSONValue, of field: SchemaField, _ entry: (key: SchemaField, value: SchemaField),
      to output: inout WireOutput
    ) throws(DynamicError) {
      guard let members = json.memberList else { throw .expected("an object", found: json) }
      for member in members {
        var pair = WireOutput()
        do throws(DynamicError) {
          pair.append(tag: 1, entry.key.kind.wireType)
          try scalars.append(try key(member.name, entry.key.kind), as: entry.key.kind, to: &pair)
          if case .null = member.value, !entry.value.kind.hasNullValue {
            throw .expected("a value", found: member.value)
          }
          try append(value: member.value, of: entry.value, to: &pair)
        } catch {
          throw error.inside("[\(member.name.quoted)]")
        }
        output.append(field.number, bytes: pair.bytes)
      }
    }

    /// The value of a map's entry, which is written even if it is the default.
    private func append(
      value json: JSONValue, of field: SchemaField, to output: inout WireOutput
    ) throws(DynamicError) {
      if case .message = field.kind { return try append(json, of: field, to: &output) }
      output.append(tag: field.number, field.kind.wireType)
      try scalars.append(json, as: field.kind, to: &output)
    }

    /// A key of a map, which is text in JSON.
    private func key(_ name: String, _ kind: FieldKind) throws(DynamicError) -> JSONValue {
      guard kind == .bool else { return .string(name) }
      switch name {
      case "true": return .bool(true)
      case "false": return .bool(false)
      default: throw DynamicError("expected the key true or false, found \(name.quoted)")
      }
    }
  }
#endif

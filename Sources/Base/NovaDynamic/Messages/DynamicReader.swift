#if GRPC
  package import NovaCoding
  import NovaSupport

  /// Converts messages from the binary form into proto3 JSON, by their descriptors.
  ///
  /// Fields that the descriptors do not have are left out.
  package struct DynamicReader {
    /// How messages are converted.
    package struct Options: Sendable {
      /// Whether fields with their default value are included.
      package var includesDefaults = false
      /// Whether an `Any` of an unknown type is shown with its bytes as base64. Otherwise it is an error with
      /// ``DynamicError/missingType``.
      package var showsUnknownTypes = false

      package init() {}
    }

    let schema: ProtoSchema
    let options: Options
    private let scalars: ScalarReader

    package init(_ schema: ProtoSchema, options: Options = Options()) {
      self.schema = schema
      self.options = options
      scalars = ScalarReader(schema: schema)
    }

    /// Converts a message of the type with this full name.
    package func json(_ bytes: [UInt8], as type: String) throws(DynamicError) -> JSONValue {
      try json(bytes[...], as: try schema.requireMessage(type), depth: 0)
    }

    func json(_ bytes: ArraySlice<UInt8>, as message: SchemaMessage, depth: Int) throws(DynamicError) -> JSONValue {
      guard depth < DynamicLimits.depth else {
        throw DynamicError("more than \(DynamicLimits.depth) nested messages")
      }
      if let type = WellKnownType(messageNamed: message.name) {
        return try json(bytes, as: type, message, depth: depth)
      }
      return .object(try members(bytes, of: message, depth: depth))
    }

    /// The fields of a message in the order of their numbers.
    func members(
      _ bytes: ArraySlice<UInt8>, of message: SchemaMessage, depth: Int
    ) throws(DynamicError) -> [JSONValue.Member] {
      var contents = try MessageContents(bytes, of: message, in: schema).values
      if options.includesDefaults {
        for field in message.fields where contents[field.number] == nil && !field.hasPresence {
          contents[field.number] = (field, [])
        }
      }
      var members: [JSONValue.Member] = []
      for (_, (field, values)) in contents.sorted(by: { $0.key < $1.key }) {
        do throws(DynamicError) {
          guard let value = try json(values, of: field, depth: depth) else { continue }
          members.append(JSONValue.Member(name: field.key, value: value))
        } catch {
          throw error.inside(field.key)
        }
      }
      return members
    }

    /// Converts the values of a field; nil if it counts as absent.
    private func json(_ values: [WireValue], of field: SchemaField, depth: Int) throws(DynamicError) -> JSONValue? {
      if let entry = try schema.mapEntry(of: field) { return try map(values, entry, depth: depth) }
      if field.isRepeated {
        let list = try list(values, of: field, depth: depth)
        return list.isEmpty && !options.includesDefaults ? nil : .array(list)
      }
      guard let value = values.last else { return try scalars.defaultValue(field.kind) }
      guard let json = try json(value, of: field, depth: depth) else { return nil }
      return field.hasPresence || options.includesDefaults || !value.isZero(field.kind) ? json : nil
    }

    private func list(_ values: [WireValue], of field: SchemaField, depth: Int) throws(DynamicError) -> [JSONValue] {
      var list: [JSONValue] = []
      for value in values {
        do throws(DynamicError) {
          if let element = try json(value, of: field, depth: depth) { list.append(element) }
        } catch {
          throw error.inside(element: list.count)
        }
      }
      return list
    }

    private func json(_ value: WireValue, of field: SchemaField, depth: Int) throws(DynamicError) -> JSONValue? {
      guard case .message(let type) = field.kind else { return try scalars.json(value, field) }
      return try json(value.messageBytes, as: try schema.requireMessage(type), depth: depth + 1)
    }

    /// Converts the entries of a map, sorted by their keys.
    private func map(
      _ values: [WireValue], _ entry: (key: SchemaField, value: SchemaField), depth: Int
    ) throws(DynamicError) -> JSONValue? {
      guard depth + 1 < DynamicLimits.depth else {
        throw DynamicError("more than \(DynamicLimits.depth) nested messages")
      }
      var entries: [MapKey: JSONValue] = [:]
      for value in values {
        let fields = try EntryFields(value.messageBytes, entry)
        let name = MapKey(try key(fields.key, of: entry.key))
        do throws(DynamicError) {
          // An entry whose value a closed enum does not have counts as unknown.
          if let value = try self.value(fields.value, of: entry.value, depth: depth) { entries[name] = value }
        } catch {
          throw error.inside("[\(name.text.quoted)]")
        }
      }
      guard !entries.isEmpty || options.includesDefaults else { return nil }
      return .object(entries.sorted { $0.key < $1.key }.map { JSONValue.Member(name: $0.key.text, value: $0.value) })
    }

    private func key(_ value: WireValue?, of field: SchemaField) throws(DynamicError) -> JSONValue {
      if let value, let key = try scalars.json(value, field) { return key }
      return try scalars.defaultValue(field.kind)
    }

    private func value(_ value: WireValue?, of field: SchemaField, depth: Int) throws(DynamicError) -> JSONValue? {
      if let value { return try json(value, of: field, depth: depth + 1) }
      guard case .message = field.kind else { return try scalars.defaultValue(field.kind) }
      return try json(.bytes([]), of: field, depth: depth + 1)
    }
  }

  /// The key and the value of a map's entry.
  private struct EntryFields {
    var key: WireValue?
    var value: WireValue?

    init(_ bytes: ArraySlice<UInt8>, _ entry: (key: SchemaField, value: SchemaField)) throws(DynamicError) {
      var fields = WireFields(bytes)
      while let field = try fields.next() {
        if field.number == 1, ScalarReader.accepts(field.value, entry.key) { key = field.value }
        if field.number == 2, ScalarReader.accepts(field.value, entry.value) { value = field.value }
      }
    }
  }

  /// A key of a map in JSON. Numbers are sorted by their value.
  private struct MapKey: Hashable, Comparable {
    let text: String
    private let number: Int128?

    init(_ json: JSONValue) {
      switch json {
      case .number(let digits):
        text = digits
        number = DecimalNumber(digits)?.integer
      case .bool(let bool):
        text = bool ? "true" : "false"
        number = bool ? 1 : 0
      default:
        text = json.stringValue ?? ""
        number = nil
      }
    }

    static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }
    func hash(into hasher: inout Hasher) { hasher.combine(bytesOf: text) }

    static func < (left: Self, right: Self) -> Bool {
      if let one = left.number, let other = right.number, one != other { return one < other }
      return left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
  }

  extension WireValue {
    /// Whether it is the default of its type, which an absent field has.
    fileprivate func isZero(_ kind: FieldKind) -> Bool {
      switch (self, kind) {
      // In JSON, all its numbers are null.
      case (_, .enumeration("google.protobuf.NullValue")): true
      // Of a number of 32 bits, more bits do not count.
      case (.varint(let bits), .int32), (.varint(let bits), .uint32), (.varint(let bits), .sint32),
        (.varint(let bits), .enumeration):
        UInt32(truncatingIfNeeded: bits) == 0
      case (.varint(let bits), _), (.fixed64(let bits), _): bits == 0
      case (.fixed32(let bits), _): bits == 0
      case (.bytes(let bytes), _): bytes.isEmpty
      case (.group, _): false
      }
    }
  }
#endif

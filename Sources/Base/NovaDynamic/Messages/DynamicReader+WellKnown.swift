#if GRPC
  import NovaCoding
  import NovaSupport

  extension DynamicReader {
    /// Converts a message whose type has a JSON form of its own.
    func json(
      _ bytes: ArraySlice<UInt8>, as type: WellKnownType, _ message: SchemaMessage, depth: Int
    ) throws(DynamicError) -> JSONValue {
      switch type {
      case .any: return try any(bytes, depth: depth)
      case .timestamp: return try timestamp(try FieldsByNumber(bytes))
      case .duration: return try duration(try FieldsByNumber(bytes))
      case .fieldMask: return try fieldMask(try FieldsByNumber(bytes))
      case .structure: return try structure(bytes, depth: depth)
      case .value: return try value(bytes, depth: depth)
      case .list: return .array(try list(bytes, depth: depth))
      default:
        var options = options
        options.includesDefaults = true
        let reader = DynamicReader(schema, options: options)
        guard let value = try reader.members(bytes, of: message, depth: depth).first?.value else {
          throw DynamicError("the descriptor of \(message.name) has no value")
        }
        return value
      }
    }

    private func any(_ bytes: ArraySlice<UInt8>, depth: Int) throws(DynamicError) -> JSONValue {
      let fields = try FieldsByNumber(bytes)
      let (url, contents) = (fields.text(1), fields.message(2) ?? [])
      if url.isEmpty, contents.isEmpty { return .object([]) }
      let type = JSONValue.Member(name: "@type", value: .string(url))
      let name = url.parts(between: "/", keepsEmpty: true).last ?? url
      guard let message = schema.message(named: name) else {
        guard options.showsUnknownTypes else { throw .missing(name) }
        let text = String(decoding: Base64.encode(Array(contents)), as: UTF8.self)
        return .object([type, JSONValue.Member(name: "value", value: .string(text))])
      }
      guard WellKnownType(messageNamed: name) == nil else {
        let value = try json(contents, as: message, depth: depth + 1)
        return .object([type, JSONValue.Member(name: "value", value: value)])
      }
      guard depth + 1 < DynamicLimits.depth else {
        throw DynamicError("more than \(DynamicLimits.depth) nested messages")
      }
      return .object([type] + (try members(contents, of: message, depth: depth + 1)))
    }

    private func timestamp(_ fields: FieldsByNumber) throws(DynamicError) -> JSONValue {
      let time = Timestamp(seconds: Int64(bitPattern: fields.number(1) ?? 0), nanoseconds: fields.int32(2))
      guard time.isValid else {
        throw DynamicError("expected a time from year 1 to 9999, found \(time.seconds) s and \(time.nanoseconds) ns")
      }
      return .string(time.description)
    }

    private func duration(_ fields: FieldsByNumber) throws(DynamicError) -> JSONValue {
      let (seconds, nanoseconds) = (Int64(bitPattern: fields.number(1) ?? 0), fields.int32(2))
      let duration = Duration(
        secondsComponent: seconds.clamped, attosecondsComponent: Int64(nanoseconds) * 1_000_000_000)
      let hasOneSign = seconds == 0 || nanoseconds == 0 || (seconds < 0) == (nanoseconds < 0)
      guard hasOneSign, nanoseconds.magnitude < 1_000_000_000, let text = duration.protoJSON else {
        throw DynamicError("expected a duration of at most 10,000 years, found \(seconds) s and \(nanoseconds) ns")
      }
      return .string(text)
    }

    private func fieldMask(_ fields: FieldsByNumber) throws(DynamicError) -> JSONValue {
      let mask = FieldMask(fields.texts(1))
      guard let json = mask.json else {
        let paths = mask.paths.joined(separator: ",").quoted
        throw DynamicError("expected paths in snake_case without commas, found \(paths)")
      }
      return .string(json)
    }

    // MARK: Struct, Value, ListValue

    private func structure(_ bytes: ArraySlice<UInt8>, depth: Int) throws(DynamicError) -> JSONValue {
      var members: [JSONValue.Member] = []
      var indexes: [ExactText: Int] = [:]
      for entry in try FieldsByNumber(bytes).messages(1) {
        let fields = try FieldsByNumber(entry)
        let name = try text(fields.message(1) ?? [])
        let member = JSONValue.Member(name: name, value: try value(fields.message(2) ?? [], depth: depth + 1))
        if let index = indexes[ExactText(name)] {
          members[index] = member
        } else {
          indexes[ExactText(name)] = members.count
          members.append(member)
        }
      }
      return .object(members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
    }

    private func list(_ bytes: ArraySlice<UInt8>, depth: Int) throws(DynamicError) -> [JSONValue] {
      var list: [JSONValue] = []
      for element in try FieldsByNumber(bytes).messages(1) { list.append(try value(element, depth: depth + 1)) }
      return list
    }

    private func value(_ bytes: ArraySlice<UInt8>, depth: Int) throws(DynamicError) -> JSONValue {
      guard depth < DynamicLimits.depth else {
        throw DynamicError("more than \(DynamicLimits.depth) nested messages")
      }
      var (fields, result) = (WireFields(bytes), JSONValue.null)
      while let field = try fields.next() {
        switch (field.number, field.value) {
        case (1, .varint): result = .null
        case (2, .fixed64(let bits)):
          let number = Double(bitPattern: bits)
          guard number.isFinite else { throw DynamicError("expected a finite number, found \(number)") }
          result = ScalarReader.json("\(number)")
        case (3, .bytes(let bytes)): result = .string(try text(bytes))
        case (4, .varint(let bits)): result = .bool(bits != 0)
        case (5, .bytes(let bytes)): result = try structure(bytes, depth: depth + 1)
        case (6, .bytes(let bytes)): result = .array(try list(bytes, depth: depth + 1))
        default: break
        }
      }
      return result
    }

    private func text(_ bytes: ArraySlice<UInt8>) throws(DynamicError) -> String {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw DynamicError("expected UTF-8, found other bytes")
      }
      return text
    }
  }

  extension Int64 {
    /// The number within what `Duration` can hold; far more than a valid duration.
    fileprivate var clamped: Int64 { Swift.min(Swift.max(self, -1_000_000_000_000), 1_000_000_000_000) }
  }
#endif

import NovaCore

/// The schema of one field: its type, and in a request its limits.
struct FieldSchema {
  let field: FieldDescriptor
  let message: MessageDescriptor
  let direction: OpenAPISchemas.Direction
  /// The list that the message is an item of, if its items have requirements of their own.
  let list: String?
  let schemas: OpenAPISchemas

  private var texts: ContractTexts { schemas.texts }
  private var requirements: FieldRequirements { FieldRequirements(of: message, in: list) }
  /// The RPC of which the message is the request.
  private var rpc: RPCDescriptor? { schemas.registry.rpcs.first { $0.requestType.descriptor === message } }
  private var limit: PageLimit? { field.name == "limit" ? rpc?.pageLimit : nil }

  var json: JSONValue {
    let limit = field.rule.isNotRange ? limit : nil
    return shape.adding([
      "description": description, "default": .number(limit?.defaultValue), "x-nova-maximum": .number(limit?.maximum),
    ])
  }

  /// The contract's words, and what the limit of a list means.
  private var description: JSONValue? {
    var words = texts.comment(of: "\(message.name).\(field.name)").joined(separator: "\n\n")
    if let limit, let standard = limit.defaultValue {
      words += " 0 or absent: \(standard). A greater value than \(limit.maximum) is lowered to it."
    }
    return words.isEmpty ? nil : .string(words)
  }

  private var shape: JSONValue {
    let shape: JSONValue =
      switch field.cardinality {
      case .singular, .optional: single
      case .repeated: (["type": "array", "items": single] as JSONValue).adding(countLimits)
      case .map(let key):
        [
          "type": "object", "additionalProperties": single,
          "propertyNames": key == .string ? nil : ["pattern": "^-?[0-9]+$"],
        ]
      }
    return isNullable ? shape.orNull : shape
  }

  /// Whether null is the same as an absent value: in the body of a request, and in a response for an optional value.
  private var isNullable: Bool {
    guard direction == .request else {
      return field.cardinality == .optional && field.messageName == nil && !requirements.neverAbsent(field)
    }
    guard let rpc else { return !texts.isRequired(field, in: message) }
    let isInBody = rpc.http.hasBody && !PathTemplate(rpc.http.path).variables.contains(field.name)
    return isInBody && !texts.isRequired(field, in: message)
  }

  private var countLimits: JSONValue {
    guard case .count(let minimum, let maximum)? = field.rule else { return [:] }
    return ["minItems": minimum > 0 ? .number(minimum) : nil, "maxItems": .number(maximum)]
  }

  /// The schema of one value.
  private var single: JSONValue {
    switch field.kind {
    case .message(let name):
      schemas.reference(name, direction, in: OpenAPISchemas.list(of: field, in: message, direction))
    case .bool: type("boolean")
    case .string: type("string", format: field.rule == .httpURL ? "uri" : nil, textLimits)
    case .bytes: type("string", ["contentEncoding": "base64"])
    case .enumeration: type("string")
    case .timestamp: type("string", format: "date-time")
    case .double: type("number", format: "double", numberLimits)
    case .float: type("number", format: "float", numberLimits)
    default: type("integer", format: field.kind.is64Bit ? "int64" : "int32", numberLimits)
    }
  }

  private func type(_ name: JSONValue, format: JSONValue? = nil, _ limits: JSONValue = [:]) -> JSONValue {
    (["type": name, "format": field.isSecret ? "password" : format] as JSONValue).adding(limits)
  }

  private var textLimits: JSONValue {
    let known = texts.knownValues(of: field, in: message).map { JSONValue.string($0) }
    let values = known.isEmpty ? nil : JSONValue.array(known)
    guard direction == .request else {
      let isNeverEmpty = values == nil && requirements.neverDefault(field) && !isEmptyInLists
      let minimum: JSONValue? = isNeverEmpty ? 1 : nil
      return ["x-extensible-enum": values, "minLength": minimum]
    }
    var minimum = texts.isRequired(field, in: message) ? 1 : nil
    if case .length(let shortest, _)? = field.rule { minimum = shortest }
    return [
      "enum": values, "minLength": .number(minimum), "maxLength": .number(maximumLength),
      "pattern": texts.pattern(of: field, in: message).map { .string($0) },
    ]
  }

  /// Whether lists of the message may have items without the text, because people write it. Such an item may then also be
  /// sent alone.
  private var isEmptyInLists: Bool {
    FieldMeaning.inLists.contains { list, item in
      guard item.mayBeDefault.contains(field.name), let dot = list.lastIndex(of: "."),
        let holder = schemas.registry.message(named: String(list[..<dot]))?.descriptor
      else { return false }
      return holder.field(named: String(list[list.index(after: dot)...]))?.messageName == message.name
    }
  }

  /// The maximum length of a text. IDs have a limit in bytes, which are at least as many as the characters.
  private var maximumLength: Int? {
    if case .length(_, let maximum?)? = field.rule { return maximum }
    if let maximum = texts.maximumLength(of: field, in: message) { return maximum }
    let bytes = ArgumentLimits.bytes(of: field)
    // Servers check the size of IDs in the request itself, and not in the messages within.
    return rpc != nil && bytes == ArgumentLimits.idBytes ? bytes : nil
  }

  private var numberLimits: JSONValue {
    guard direction == .request else { return [:] }
    var range = field.kind.range
    switch field.rule {
    case .notNegative: range?.minimum = "0"
    case .range(let minimum, let maximum): range = ("\(minimum)", "\(maximum)")
    default: break
    }
    let bounds = texts.bounds(of: field, in: message)
    return [
      "minimum": .number(bounds.minimum) ?? range.map { .number($0.minimum) },
      "maximum": .number(bounds.maximum) ?? range.map { .number($0.maximum) },
    ]
  }
}

extension JSONValue {
  /// The object with the members of another one after its own.
  fileprivate func adding(_ members: JSONValue) -> JSONValue {
    .object((memberList ?? []) + (members.memberList ?? []))
  }

  /// A schema that also has null.
  fileprivate var orNull: JSONValue {
    if self["$ref"] != nil { return ["anyOf": [self, ["type": "null"]]] }
    return .object(
      (memberList ?? []).map { member -> JSONValue.Member in
        switch (member.name, member.value) {
        case ("type", .string): .init(name: "type", value: [member.value, "null"])
        case ("enum", .array(let values)): .init(name: "enum", value: .array(values + [.null]))
        default: member
        }
      })
  }
}

extension JSONValue? {
  fileprivate static func number(_ number: Int?) -> JSONValue? { number.map { .number(String($0)) } }
}

extension FieldRule? {
  fileprivate var isNotRange: Bool { if case .range? = self { false } else { true } }
}

extension FieldKind {
  /// The numbers that the type has; nil for others than integers.
  fileprivate var range: (minimum: String, maximum: String)? {
    guard isInteger else { return nil }
    return switch (isUnsigned, is64Bit) {
    case (true, true): ("0", String(UInt64.max))
    case (true, false): ("0", String(UInt32.max))
    case (false, true): (String(Int64.min), String(Int64.max))
    case (false, false): (String(Int32.min), String(Int32.max))
    }
  }
}

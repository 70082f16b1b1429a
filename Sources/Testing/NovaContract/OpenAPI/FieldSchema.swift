import NovaCore

/// The schema of one field: its type, and in a request its limits.
struct FieldSchema {
  private let field: FieldDescriptor
  private let message: MessageDescriptor
  private let requirements: FieldRequirements
  private let texts: ContractTexts
  private let direction: OpenAPISchemas.Direction
  private let reference: (String, OpenAPISchemas.Direction) -> JSONValue
  private var description: String?
  private var limit: PageLimit?
  /// Whether servers check the size of IDs: they do in the request itself, and not in the messages within.
  private var limitsIDs = false

  /// - Parameter reference: the reference to a message's schema.
  init(
    _ field: FieldDescriptor, in message: MessageDescriptor, _ requirements: FieldRequirements, texts: ContractTexts,
    direction: OpenAPISchemas.Direction, reference: @escaping (String, OpenAPISchemas.Direction) -> JSONValue
  ) {
    (self.field, self.message, self.requirements, self.texts) = (field, message, requirements, texts)
    (self.direction, self.reference) = (direction, reference)
  }

  /// Adds words, and what holds because the message is the request of `rpc`: what the limit of a list means, and the
  /// maximum size of IDs.
  mutating func describe(_ text: String?, requestOf rpc: RPCDescriptor?) {
    (description, limitsIDs) = (text, rpc != nil)
    limit = field.name == "limit" ? rpc?.pageLimit : nil
    guard let limit else { return }
    let words = limit.defaultValue.map {
      " 0 or absent: \($0). A greater value than \(limit.maximum) is lowered to it."
    }
    description = (text ?? "") + (words ?? "")
  }

  var json: JSONValue {
    var members: [JSONValue.Member] = []
    switch field.cardinality {
    case .singular, .optional: members = single
    case .repeated:
      members = [.init(name: "type", value: .string("array")), .init(name: "items", value: .object(single))]
      if case .count(let minimum, let maximum)? = field.rule {
        if minimum > 0 { members.add("minItems", minimum) }
        members.add("maxItems", maximum)
      }
    case .map(let key):
      members = [
        .init(name: "type", value: .string("object")), .init(name: "additionalProperties", value: .object(single)),
      ]
      if key != .string {
        let name = JSONValue.members(("pattern", .string("^-?[0-9]+$")))
        members.append(.init(name: "propertyNames", value: name))
      }
    }
    if let description, !description.isEmpty {
      members.append(.init(name: "description", value: .string(description)))
    }
    if let limit, field.rule.isNotRange {
      if let standard = limit.defaultValue { members.add("default", standard) }
      members.add("x-nova-maximum", limit.maximum)
    }
    return .object(members)
  }

  /// The schema of one value.
  private var single: [JSONValue.Member] {
    switch field.kind {
    case .message(let name): reference(name, direction).memberList ?? []
    case .bool: type("boolean")
    case .string: type("string", format: field.rule == .httpURL ? "uri" : nil) + textLimits
    case .bytes: type("string") + [.init(name: "contentEncoding", value: .string("base64"))]
    case .enumeration: type("string")
    case .timestamp: type("string", format: "date-time")
    case .double: type("number", format: "double") + numberLimits
    case .float: type("number", format: "float") + numberLimits
    default: type("integer", format: field.kind.is64Bit ? "int64" : "int32") + numberLimits
    }
  }

  private func type(_ name: String, format: String? = nil) -> [JSONValue.Member] {
    // Servers may write null for an optional value that is absent.
    let isNullable = direction == .response && field.cardinality == .optional && !requirements.neverAbsent(field)
    let type: JSONValue = isNullable ? .array([.string(name), .string("null")]) : .string(name)
    let format = field.isSecret ? "password" : format
    return [.init(name: "type", value: type)] + (format.map { [.init(name: "format", value: .string($0))] } ?? [])
  }

  private var textLimits: [JSONValue.Member] {
    let values = texts.knownValues(of: field, in: message).map { JSONValue.string($0) }
    guard direction == .request else {
      if !values.isEmpty { return [.init(name: "x-extensible-enum", value: .array(values))] }
      return requirements.neverDefault(field) ? [.init(name: "minLength", value: .number("1"))] : []
    }
    var limits: [JSONValue.Member] = []
    if !values.isEmpty { limits.append(.init(name: "enum", value: .array(values))) }
    switch field.rule {
    case .length(let minimum, _): limits.add("minLength", minimum)
    default: if texts.isRequired(field, in: message) { limits.add("minLength", 1) }
    }
    if let maximumLength { limits.add("maxLength", maximumLength) }
    if let pattern = texts.pattern(of: field, in: message) {
      limits.append(.init(name: "pattern", value: .string(pattern)))
    }
    return limits
  }

  /// The maximum length of a text. IDs have a limit in bytes, which are at least as many as the characters.
  private var maximumLength: Int? {
    if case .length(_, let maximum?)? = field.rule { return maximum }
    if let maximum = texts.maximumLength(of: field, in: message) { return maximum }
    let bytes = ArgumentLimits.bytes(of: field)
    return limitsIDs && bytes == ArgumentLimits.idBytes ? bytes : nil
  }

  private var numberLimits: [JSONValue.Member] {
    guard direction == .request else { return [] }
    var range = field.kind.range
    switch field.rule {
    case .notNegative: range?.minimum = "0"
    case .range(let minimum, let maximum): range = ("\(minimum)", "\(maximum)")
    default: break
    }
    let bounds = texts.bounds(of: field, in: message)
    let minimum = bounds.minimum.map(String.init) ?? range?.minimum
    let maximum = bounds.maximum.map(String.init) ?? range?.maximum
    return [("minimum", minimum), ("maximum", maximum)].compactMap { name, value in
      value.map { .init(name: name, value: .number($0)) }
    }
  }
}

extension [JSONValue.Member] {
  fileprivate mutating func add(_ name: String, _ number: Int) {
    append(.init(name: name, value: .number(String(number))))
  }
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

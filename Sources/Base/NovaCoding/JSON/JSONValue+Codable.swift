import NovaSupport

extension JSONValue {
  /// Creates an object with these members, sorted by name.
  public init(_ members: [String: JSONValue]) {
    self = .object(Array(members.keys).inOrder().map { Member(name: $0, value: members[$0] ?? .null) })
  }
}

/// Foundation's decoders don't keep the order of an object's members, so the members are sorted by name.
extension JSONValue: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .number(String(value))
    } else if let value = try? container.decode(UInt64.self) {
      self = .number(String(value))
    } else if let value = try? container.decode(Double.self) {
      self = .number(value.description)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = JSONValue(try container.decode([String: JSONValue].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let elements): try container.encode(elements)
    case .object(let members):
      try container.encode(Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first })
    case .number(let text):
      if let value = Int64(text) {
        try container.encode(value)
      } else if let value = UInt64(text) {
        try container.encode(value)
      } else if let value = Double(text) {
        try container.encode(value)
      } else {
        throw encoder.invalid(text, expected: "a JSON number")
      }
    }
  }
}

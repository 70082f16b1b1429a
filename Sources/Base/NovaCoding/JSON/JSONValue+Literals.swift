// JSON as Swift literals:
//
//     let error: JSONValue = ["code": 5, "message": "not found: \(name)", "details": []]

extension JSONValue: ExpressibleByStringInterpolation {
  /// Creates a text.
  public init(stringLiteral text: String) { self = .string(text) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  /// Creates the number with the digits of an integer.
  public init(integerLiteral number: Int) { self = .number(String(number)) }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  /// Creates a boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
  /// Creates a list.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// Creates an object from the members that have a value; a member whose value is nil is left out.
  public init(dictionaryLiteral members: (String, JSONValue?)...) {
    self = .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
  }
}

extension JSONValue {
  /// The number with the digits of an integer.
  package static func number(_ number: Int) -> JSONValue { .number(String(number)) }

  /// A list of texts.
  package static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}

import NovaCore

/// The JSON object in the body of an admin request; a missing body counts as an empty object.
struct AdminBody {
  private let json: JSONValue

  init(_ bytes: [UInt8]) throws(MockFailure) {
    let json: JSONValue
    do {
      json = bytes.isEmpty ? .object([]) : try JSONValue(jsonUTF8: bytes)
    } catch {
      throw MockFailure.invalid("the body is not JSON: \(error)")
    }
    try self.init(json, named: "the body")
  }

  /// - Parameter name: what the value is, for errors: `params`.
  init(_ json: JSONValue, named name: String) throws(MockFailure) {
    guard case .object = json else {
      throw MockFailure.invalid("\(name) is \(json.kindDescription); expected an object")
    }
    self.json = json
  }

  /// Whether the object has no members.
  var isEmpty: Bool { json.memberList?.isEmpty ?? true }

  /// A list of objects; empty without the member.
  func objects(_ member: String, atMost maximum: Int) throws(MockFailure) -> [AdminBody] {
    guard let value = self[member] else { return [] }
    guard let elements = value.elements else { throw wrong(member, "a list of objects") }
    guard elements.count <= maximum else { throw .invalid("\(member) has more than \(maximum) elements") }
    return try elements.enumerated().map { index, element throws(MockFailure) in
      try AdminBody(element, named: "\(member)[\(index)]")
    }
  }

  /// The member with a name; nil without one, and for null.
  subscript(name: String) -> JSONValue? {
    guard let value = json[name], value != .null else { return nil }
    return value
  }

  /// The body with another member.
  func adding(_ name: String, _ value: String) -> JSONValue {
    .object((json.memberList ?? []).filter { $0.name != name } + [.init(name: name, value: .string(value))])
  }

  /// The body without a member.
  func removing(_ name: String) -> JSONValue { .object((json.memberList ?? []).filter { $0.name != name }) }

  /// A list of strings; nil without the member.
  func texts(_ member: String) throws(MockFailure) -> [String]? {
    guard let value = self[member] else { return nil }
    guard case .array(let values) = value, case let texts = values.compactMap(\.stringValue),
      texts.count == values.count
    else { throw wrong(member, "a list of strings") }
    return texts
  }

  /// Throws if there are other members than these.
  func allowOnly(_ names: [String]) throws(MockFailure) {
    guard let other = json.memberList?.first(where: { !names.contains($0.name) })?.name else { return }
    let hint = Suggestion.closest(to: other, among: names).map { "did you mean \($0)?" }
    throw .invalid("unknown member: \(other.quoted); \(hint ?? "expected \(names.joined(separator: ", "))")")
  }

  func text(_ member: String, expected: String) throws(MockFailure) -> String {
    guard let text = self[member]?.stringValue else { throw wrong(member, expected) }
    return text
  }

  func flag(_ member: String) throws(MockFailure) -> Bool {
    switch self[member] {
    case nil: false
    case .bool(let value): value
    default: throw wrong(member, "true or false")
    }
  }

  /// The headers of a stub's response. The server sets those that frame the body.
  func headers() throws(MockFailure) -> HTTPHeaders {
    var headers: HTTPHeaders = [:]
    guard let value = self["headers"] else { return headers }
    guard let members = value.memberList else { throw wrong("headers", "an object like {\"Retry-After\":\"3\"}") }
    for member in members {
      guard let text = member.value.stringValue else { throw wrong("headers", "an object with strings") }
      let framing = ["Content-Length", "Transfer-Encoding", "Connection"]
      if framing.contains(where: member.name.equalsIgnoringASCIICase) {
        throw .invalid("headers: the server sets \(member.name); remove it")
      }
      if let problem = HTTPHeaders.Field(name: member.name, value: text).problem {
        throw .invalid("headers: \(problem)")
      }
      headers.append(name: member.name, value: text)
    }
    return headers
  }

  /// A name of 1 to 100 characters.
  func name() throws(MockFailure) -> String {
    guard let name = json["name"]?.stringValue else { throw wrong("name", "a name of 1 to 100 characters") }
    guard (1...100).contains(name.unicodeScalars.count), name.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
      throw wrong("name", "1 to 100 printable characters")
    }
    return name
  }

  func integer(_ member: String, _ range: ClosedRange<Int>) throws(MockFailure) -> Int {
    guard let value = json[member]?.integerValue, range.contains(value) else {
      throw wrong(member, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  func optionalInteger(_ member: String, _ range: ClosedRange<Int>) throws(MockFailure) -> Int? {
    self[member] == nil ? nil : try integer(member, range)
  }

  /// The seed; nil if the body has none.
  func seed() throws(MockFailure) -> UInt64? {
    switch json["seed"] {
    case nil, .null: return nil
    case .number(let text):
      if let seed = UInt64(text) { return seed }
    default: break
    }
    throw wrong("seed", "a whole number from 0 to \(UInt64.max)")
  }

  func rules() throws(MockFailure) -> [String] {
    guard case .array(let values) = json["rules"] else {
      throw wrong("rules", "a list like [\"social.CreateLike=503x2\"]")
    }
    let rules = values.compactMap(\.stringValue)
    guard rules.count == values.count else { throw wrong("rules", "a list of strings") }
    guard rules.count <= Faults.maximumCount else { throw wrong("rules", "at most \(Faults.maximumCount) rules") }
    return rules
  }

  /// The failure of a member that is missing, or is something other than what is expected.
  func wrong(_ member: String, _ expected: String) -> MockFailure {
    MockFailure.invalid("\(member) is \(json[member]?.kindDescription ?? "missing"); expected \(expected)")
  }
}

import NovaCore

/// The JSON object in the body of an admin request; a missing body counts as an empty object.
struct AdminBody {
  private let json: JSONValue

  init(_ bytes: [UInt8]) throws(MockFailure) {
    do {
      json = bytes.isEmpty ? .object([]) : try JSONValue(jsonUTF8: bytes)
    } catch {
      throw MockFailure(.invalidArgument, "the body is not JSON: \(error)")
    }
    guard case .object = json else {
      throw MockFailure(.invalidArgument, "the body is \(json.kindDescription); expected an object")
    }
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

  private func wrong(_ member: String, _ expected: String) -> MockFailure {
    MockFailure(.invalidArgument, "\(member) is \(json[member]?.kindDescription ?? "missing"); expected \(expected)")
  }
}

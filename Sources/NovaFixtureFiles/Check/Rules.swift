import NovaCore

/// Looks for the first rule that a record breaks.
struct Rules {
  private(set) var broken: String?

  /// Something that must hold.
  mutating func require(_ condition: @autoclosure () -> Bool, _ expectation: @autoclosure () -> String) {
    if broken == nil, !condition() { broken = expectation() }
  }

  /// An id, or a reference to something.
  mutating func present(_ name: String, _ value: String) {
    require(!value.isEmpty, "\(name) is empty; expected an id")
  }

  /// A field that must be as the contract wants it in the request that it came with.
  mutating func asRequested(_ name: String, in request: some ProtoMessage) {
    guard broken == nil, let problem = RequestRules.problem(with: name, of: request) else { return }
    broken = "\(name) \(problem)"
  }

  mutating func oneOf(_ name: String, _ value: String, _ values: [String]) {
    require(values.contains(value), "\(name) is \"\(value)\"; expected one of \(values.joined(separator: ", "))")
  }

  /// Two times, the earlier one first.
  mutating func inOrder(_ first: String, _ earlier: Int64, _ second: String, _ later: Int64) {
    require(earlier <= later, "\(second) is \(later), before \(first), which is \(earlier)")
  }

  mutating func notNegative(_ name: String, _ value: Int) {
    require(value >= 0, "\(name) is \(value); expected 0 or more")
  }

  /// The two ends of an edge.
  mutating func edge(_ first: String, _ one: String, _ second: String, _ other: String) {
    present(first, one)
    present(second, other)
    require(one != other, "\(first) and \(second) are both \"\(one)\"; expected two different ids")
  }

  static func check(_ body: (inout Rules) -> Void) -> String? {
    var rules = Rules()
    body(&rules)
    return rules.broken
  }
}

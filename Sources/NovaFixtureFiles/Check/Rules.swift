import NovaCore

/// Finds the first rule that a record violates.
struct Rules {
  private(set) var broken: String?

  /// Requires a condition.
  mutating func require(_ condition: @autoclosure () -> Bool, _ expectation: @autoclosure () -> String) {
    if broken == nil, !condition() { broken = expectation() }
  }

  /// Requires a nonempty id or reference.
  mutating func present(_ name: String, _ value: String) {
    require(!value.isEmpty, "\(name) is empty; expected an id")
  }

  /// Requires a field that satisfies the contract's rules for the field in a request.
  mutating func asRequested(_ name: String, in request: some ProtoMessage) {
    guard broken == nil, let problem = RequestRules.problem(with: name, of: request) else { return }
    broken = "\(name) \(problem)"
  }

  mutating func oneOf(_ name: String, _ value: String, among values: [String]) {
    require(values.contains(value), "\(name) is \"\(value)\"; expected one of \(values.joined(separator: ", "))")
  }

  /// Requires a creation time that is not after the time of the last update.
  mutating func inOrder(createdAt: Int64, updatedAt: Int64) {
    require(createdAt <= updatedAt, "updated_at is \(updatedAt), before created_at, which is \(createdAt)")
  }

  mutating func notNegative(_ name: String, _ value: Int) {
    require(value >= 0, "\(name) is \(value); expected 0 or more")
  }

  /// Requires an edge between two different, nonempty ids.
  mutating func edge(from source: (name: String, id: String), to target: (name: String, id: String)) {
    present(source.name, source.id)
    present(target.name, target.id)
    require(
      source.id != target.id,
      "\(source.name) and \(target.name) are both \"\(source.id)\"; expected two different ids")
  }

  static func check(_ body: (inout Rules) -> Void) -> String? {
    var rules = Rules()
    body(&rules)
    return rules.broken
  }
}

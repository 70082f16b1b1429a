import NovaCore

/// Finds the first rule that a record violates.
struct Rules {
  private(set) var broken: String?

  /// Requires a condition.
  mutating func require(_ condition: @autoclosure () -> Bool, _ expectation: @autoclosure () -> String) {
    if broken == nil, !condition() { broken = expectation() }
  }

  /// Requires nonempty ids or references.
  mutating func present(_ ids: (name: String, value: String)...) {
    for id in ids { require(!id.value.isEmpty, "\(id.name) is empty; expected an id") }
  }

  /// Requires a field that satisfies the contract's rules for the field in a request.
  mutating func asRequested(_ name: String, in request: some ProtoMessage) {
    guard broken == nil, let problem = RequestRules.problem(with: name, of: request) else { return }
    broken = "\(name) \(problem)"
  }

  /// Requires a creation time that is not after the time of the last update.
  mutating func inOrder(createdAt: Int64, updatedAt: Int64) {
    require(createdAt <= updatedAt, "updated_at is \(updatedAt), before created_at, which is \(createdAt)")
  }

  mutating func notNegative(_ counts: (name: String, value: Int)...) {
    for count in counts { require(count.value >= 0, "\(count.name) is \(count.value); expected 0 or more") }
  }

  /// Requires an edge between two different, nonempty ids.
  mutating func edge(from source: (name: String, id: String), to target: (name: String, id: String)) {
    present((source.name, source.id), (target.name, target.id))
    require(
      source.id != target.id,
      "\(source.name) and \(target.name) are both \"\(source.id)\"; expected two different ids")
  }
}

extension FixtureRecord {
  /// The first rule of the contract that the record violates; nil if it satisfies all.
  var brokenRule: String? {
    var rules = Rules()
    check(&rules)
    return rules.broken
  }
}

import NovaCore

/// Faults in the admin API.
struct AdminFaults {
  private let backend: MockBackend

  init(_ backend: MockBackend) { self.backend = backend }

  var json: JSONValue {
    let faults = backend.faults
    let rules = faults.progress.map { progress in
      JSONValue.members(
        ("rule", .string(progress.rule.description)),
        ("remaining", progress.remaining.map { .number(String($0)) } ?? .null),
        ("hits", .number(String(progress.hits))))
    }
    return .members(("rules", .array(rules)), ("seed", .number(String(faults.seed))))
  }

  /// Replaces the rules; without a seed in the body, the current seed stays.
  func replace(_ body: AdminBody) throws -> HTTPResponse {
    let (rules, seed) = (try body.rules(), try body.seed())
    let seedBefore = backend.faults.seed
    do throws(FaultRuleError) {
      backend.faults = try Faults(rules, seed: seed ?? seedBefore)
    } catch {
      throw MockFailure(.invalidArgument, "\(error)")
    }
    return .json(json)
  }

  func removeAll() -> HTTPResponse {
    backend.clearFaults()
    return .json(json)
  }
}

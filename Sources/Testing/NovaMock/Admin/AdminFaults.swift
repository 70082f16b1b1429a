import NovaCore

/// Faults in the admin API.
struct AdminFaults {
  let backend: MockBackend

  var json: JSONValue {
    let faults = backend.faults
    return ["rules": .array(faults.progress.map(Self.entry)), "seed": .number(String(faults.seed))]
  }

  /// A rule with its progress.
  static func entry(_ progress: Faults.Progress) -> JSONValue {
    [
      "rule": .string(progress.rule.description), "remaining": progress.remaining.map { .number($0) } ?? .null,
      "hits": .number(progress.hits),
    ]
  }

  /// Replaces the rules; without a seed in the body, the current seed stays.
  func replace(_ body: AdminBody) throws -> HTTPResponse {
    let (rules, seed) = (try body.rules(), try body.seed())
    let seedBefore = backend.faults.seed
    do throws(FaultRuleError) {
      backend.faults = try Faults(rules, seed: seed ?? seedBefore)
    } catch {
      throw MockFailure.invalid("\(error)")
    }
    return .json(json)
  }

  func removeAll() -> HTTPResponse {
    backend.clearFaults()
    return .json(json)
  }
}

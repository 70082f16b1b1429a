/// Forms in which a gateway writes everything, and refuses what it has no route for: reported once for the gateway, not for
/// each field of each RPC.
///
/// Only forms that the SDK reads without loss. What is absent or has another type is reported where it is.
enum GatewayForms {
  /// The place of differences in the answers to requests without a route.
  static let routing = "route"
  /// In how many RPCs a form must occur to be the gateway's.
  private static let fewest = 3

  private static let forms: [(name: String, matches: @Sendable (ContractDifference) -> Bool)] = [
    ("64-bit integers", { $0.kind == .int64Form }),
    ("names of fields", { $0.kind == .nameStyle }),
    ("requests without a route", { $0.kind == .status && $0.path == routing }),
  ]

  /// Takes the differences of such forms out of the results of the RPCs.
  ///
  /// - Returns: one difference for each form.
  static func collect(from results: inout [ContractReport.RPCResult]) -> [ContractDifference] {
    forms.compactMap { name, matches in
      let isForm = { (difference: ContractDifference) in difference.grade == .tolerated && matches(difference) }
      let affected = results.filter { $0.differences.contains(where: isForm) }
      guard affected.count >= fewest, let first = affected.first?.differences.first(where: isForm) else { return nil }
      let all = affected.flatMap { $0.differences.filter(isForm) }
      for index in results.indices { results[index].differences.removeAll(where: isForm) }
      let example = "\(first.rpc), \(first.path == routing ? first.request : first.path)"
      let others = all.count > 1 ? ", and the same in \(all.count - 1) other places" : ""
      return ContractDifference(
        rpc: ContractReport.gateway, request: "\(affected.count) RPCs", requests: affected.map(\.rpc), path: name,
        kind: first.kind, grade: .tolerated, expected: first.expected, found: "\(first.found) (\(example)\(others))",
        count: all.reduce(0) { $0 + $1.count }, evidence: first.evidence)
    }
  }
}

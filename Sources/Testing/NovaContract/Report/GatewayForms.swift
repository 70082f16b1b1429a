/// Forms that a gateway uses throughout: for values, for refused calls, and for requests without a route. They are reported
/// once for the gateway, not for each field of each RPC.
///
/// A value of another type, or a missing required one, is reported in its place.
enum GatewayForms {
  /// The place of differences in the answers to requests without a route.
  static let routing = "route"
  /// The place of pages of HTML in place of an RPC's errors.
  static let pages = "page"
  /// The place of the fields that a gateway leaves out.
  static let leftOut = "nothing, which is read as the default"

  private struct Form: Sendable {
    let name: String
    /// The number of RPCs in which a form must occur to count as the gateway's.
    var fewest = 3
    /// The SDK reads most of them without loss.
    var grade = ContractDifference.Grade.tolerated
    let matches: @Sendable (ContractDifference) -> Bool
  }

  private static let forms = [
    Form(name: "64-bit integers") { $0.kind == .int64Form },
    Form(name: "names of fields") { $0.kind == .nameStyle },
    Form(name: "requests without a route") { $0.kind == .status && $0.path == routing },
    Form(name: "422 for 400") { $0.kind == .status && $0.expected == "status 400" && $0.found == "status 422" },
    Form(name: "bodies of errors") { $0.kind == .errorShape && $0.path != pages },
    Form(name: "errors", fewest: 2, grade: .breaking) { $0.kind == .errorShape && $0.path == pages },
    // Single services can lack fields.
    Form(name: "fields with their defaults", fewest: 6) { $0.kind == .missing && $0.found == leftOut },
  ]

  /// Takes the differences of such forms out of the results of the RPCs.
  ///
  /// - Returns: one difference for each form.
  static func collect(from results: inout [ContractReport.RPCResult]) -> [ContractDifference] {
    forms.compactMap { form in
      let isForm = { (difference: ContractDifference) in difference.grade == form.grade && form.matches(difference) }
      let affected = results.filter { $0.differences.contains(where: isForm) }
      guard affected.count >= form.fewest, let first = affected.first?.differences.first(where: isForm) else {
        return nil
      }
      let all = affected.flatMap { $0.differences.filter(isForm) }
      for index in results.indices { results[index].differences.removeAll(where: isForm) }
      let example = "\(first.rpc), \([routing, pages, ""].contains(first.path) ? first.request : first.path)"
      let others = all.count > 1 ? ", and the same in \(all.count - 1) other places" : ""
      return ContractDifference(
        rpc: ContractReport.gateway, request: "\(affected.count) RPCs", requests: affected.map(\.rpc), path: form.name,
        kind: first.kind, grade: form.grade, expected: first.expected, found: "\(first.found) (\(example)\(others))",
        count: all.reduce(0) { $0 + $1.count }, evidence: first.evidence)
    }
  }
}

public import NovaCore

extension ContractReport {
  /// The report as JSON, in a fixed order.
  ///
  /// `passed`, `target`, `read_only`, `stopped` (absent where the check came to its end), `requests`, `counts`,
  /// `differences`, `unchecked`, `left_behind`, `not_cleaned_up`.
  public var json: JSONValue {
    let grades = ContractDifference.Grade.allCases.map {
      JSONValue.Member(name: $0.rawValue, value: .number(String(count($0))))
    }
    let unchecked = results.compactMap { result in
      result.unchecked.map {
        JSONValue.object([
          .init(name: "rpc", value: .string(result.rpc)), .init(name: "reason", value: .string($0)),
          .init(name: "refused", value: .bool(result.isRefused)),
        ])
      }
    }
    return .object(
      [
        .init(name: "passed", value: .bool(isPassed)),
        .init(name: "target", value: .string(target)),
        .init(name: "read_only", value: .bool(isReadOnly)),
      ] + (stop.map { [.init(name: "stopped", value: .string($0.description))] } ?? []) + [
        .init(name: "requests", value: .number(String(requestCount))),
        .init(name: "rpcs_checked", value: .number(String(checkedCount))),
        .init(name: "counts", value: .object(grades)),
        .init(name: "differences", value: .array(differences.map(\.json))),
        .init(name: "unchecked", value: .array(unchecked)),
        .init(name: "left_behind", value: .array(leftBehind.map(JSONValue.string))),
        .init(name: "not_cleaned_up", value: .array(notCleanedUp.map(JSONValue.string))),
      ])
  }
}

extension ContractDifference {
  fileprivate var json: JSONValue {
    .object([
      .init(name: "grade", value: .string(grade.rawValue)),
      .init(name: "kind", value: .string(kind.rawValue)),
      .init(name: "rpc", value: .string(rpc)),
      .init(name: "request", value: .string(request)),
      .init(name: "path", value: .string(path)),
      .init(name: "expected", value: .string(expected)),
      .init(name: "found", value: .string(found)),
      .init(name: "count", value: .number(String(count))),
    ])
  }
}

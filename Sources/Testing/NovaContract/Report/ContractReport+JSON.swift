public import NovaCore

extension ContractReport {
  /// The report as JSON, in a fixed order.
  ///
  /// `passed`, `target`, `read_only`, `stopped` (absent where the check came to its end), `requests`, `counts`,
  /// `differences`, `stale` (entries of the baseline), `unchecked`, `leak_probes` (how many were sent, and which were
  /// not), `left_behind`, `not_cleaned_up`.
  public var json: JSONValue {
    let grades = ContractDifference.Grade.allCases.map {
      JSONValue.Member(name: $0.rawValue, value: .number(String(count($0))))
    }
    let unchecked = results.compactMap { result in
      result.unchecked.map {
        JSONValue.members(
          ("rpc", .string(result.rpc)), ("reason", .string($0)), ("refused", .bool(result.isRefused)))
      }
    }
    return .members(
      ("passed", .bool(isPassed)), ("target", .string(target)), ("read_only", .bool(isReadOnly)),
      ("stopped", stop.map { .string($0.description) }), ("requests", .number(String(requestCount))),
      ("rpcs_checked", .number(String(checkedCount))), ("counts", .object(grades)),
      ("known", .number(String(knownCount))), ("differences", .array(differences.map(\.json))),
      ("stale", .array(staleEntries.map(\.json))), ("unchecked", .array(unchecked)),
      ("leak_probes", .members(("sent", .number(String(probeCount))), ("skipped", .array(skippedProbes.map(\.json))))),
      ("left_behind", .array(leftBehind.map(JSONValue.string))),
      ("not_cleaned_up", .array(notCleanedUp.map(JSONValue.string))))
  }
}

extension ContractDifference {
  fileprivate var json: JSONValue {
    .members(
      ("grade", .string(grade.rawValue)), ("kind", .string(kind.rawValue)), ("rpc", .string(rpc)),
      ("request", .string(request)), ("path", .string(path)), ("expected", .string(expected)),
      ("found", .string(found)), ("count", .number(String(count))),
      ("requests", .array(requests.map(JSONValue.string))),
      ("known", .bool(isKnown)), ("reason", acceptedReason.map(JSONValue.string)),
      ("curl", evidence.map { .string($0.curl) }),
      ("response", evidence?.json))
  }
}

extension ContractReport.SkippedProbes {
  fileprivate var json: JSONValue {
    .members(("reason", .string(reason)), ("probes", .array(probes.map(JSONValue.string))))
  }
}

extension ContractEvidence {
  /// The response; nil if there was none.
  fileprivate var json: JSONValue? {
    status.map {
      .members(
        ("status", .number(String($0))), ("bytes", .number(String(bodyByteCount))), ("body", .string(body)))
    }
  }
}

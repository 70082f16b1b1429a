public import NovaCore
import NovaCoverage

extension ContractReport {
  /// The report as JSON, in a fixed order.
  ///
  /// `passed`, `target`, `read_only`, `stopped` (absent where the check came to its end), `requests`, `counts`,
  /// `differences`, `stale` (entries of the baseline), `unchecked`, `leak_probes` (how many were sent, and which were
  /// not), `left_behind`, `not_cleaned_up`.
  public var json: JSONValue {
    let unchecked: [JSONValue] = results.compactMap { result in
      result.unchecked.map {
        ["rpc": .string(result.rpc), "reason": .string($0), "refused": .bool(result.isRefused)]
      }
    }
    return [
      "passed": .bool(isPassed), "target": .string(target), "read_only": .bool(isReadOnly),
      "stopped": stop.map { "\($0)" }, "requests": .number(requestCount), "rpcs_checked": .number(checkedCount),
      "counts": .object(
        ContractDifference.Grade.allCases.map { .init(name: $0.rawValue, value: .number(count($0))) }),
      "known": .number(knownCount), "differences": .array(differences.map(\.json)),
      "stale": .array(staleEntries.map(\.json)), "unchecked": .array(unchecked),
      "skipped_checks": skippedChecks.isEmpty ? nil : .array(skippedChecks.map(\.json)),
      "leak_probes": ["sent": .number(probeCount), "skipped": .array(skippedProbes.map(\.json))],
      "coverage": showsCoverage ? coverage?.json : nil,
      "left_behind": .strings(leftBehind), "not_cleaned_up": .strings(notCleanedUp),
    ]
  }
}

extension ContractDifference {
  fileprivate var json: JSONValue {
    [
      "grade": .string(grade.rawValue), "kind": .string(kind.rawValue), "rpc": .string(rpc),
      "request": .string(request), "path": .string(path), "expected": .string(expected), "found": .string(found),
      "count": .number(count), "requests": .strings(requests), "known": .bool(isKnown),
      "reason": acceptedReason.map(JSONValue.string), "curl": evidence.map { .string($0.curl) },
      "response": evidence?.json,
    ]
  }
}

extension ContractReport.SkippedProbes {
  fileprivate var json: JSONValue { ["reason": .string(reason), "probes": .strings(probes)] }
}

extension ContractEvidence {
  /// The response; nil if there was none.
  fileprivate var json: JSONValue? {
    status.map { ["status": .number($0), "bytes": .number(bodyByteCount), "body": .string(body)] }
  }
}

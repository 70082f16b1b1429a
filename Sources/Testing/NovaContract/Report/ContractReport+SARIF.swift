public import NovaCore
import NovaRegistry

extension ContractReport {
  /// The report in the Static Analysis Results Interchange Format, version 2.1.0, for code scanning.
  ///
  /// A rule for each kind of difference, a result for each difference. Known differences are suppressed, with the
  /// baseline's reason as the justification.
  public var sarif: JSONValue {
    let kinds = ContractDifference.Kind.allCases.filter { kind in differences.contains { $0.kind == kind } }
    let results = differences.map { difference in
      difference.result(ruleIndex: kinds.firstIndex(of: difference.kind) ?? 0, hasBaseline: hasBaseline)
    }
    let driver: JSONValue = [
      "name": "nova contract check", "version": .string(NovaSDKVersion.current), "rules": .array(kinds.map(\.rule)),
    ]
    return [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": [
        [
          "tool": ["driver": driver], "invocations": [invocation], "results": .array(results),
          "columnKind": "unicodeCodePoints", "properties": ["target": .string(target)],
        ]
      ],
    ]
  }

  private var invocation: JSONValue {
    var notes: [(level: String, text: String)] = [("note", summary)]
    if let stop { notes.append(("error", "the check ended early: \(stop)")) }
    for result in results {
      if let reason = result.unchecked {
        notes.append((result.isRefused ? "error" : "note", "not checked: \(result.rpc): \(reason)"))
      }
    }
    notes += skippedProbes.map {
      ("note", "not probed for leaks: \($0.probes.joined(separator: ", ")), because \($0.reason)")
    }
    notes += staleEntries.map { ("note", "no longer found, remove it from the baseline: \($0.description)") }
    let notifications: [JSONValue] = notes.map {
      ["level": .string($0.level), "message": ["text": .string($0.text)]]
    }
    return ["executionSuccessful": .bool(stop == nil), "toolExecutionNotifications": .array(notifications)]
  }
}

extension ContractDifference.Kind {
  /// The rule in the report.
  fileprivate var rule: JSONValue {
    let text: JSONValue = ["text": .string(summary)]
    return ["id": .string(rawValue), "shortDescription": text, "fullDescription": text]
  }

  /// One sentence that describes the kind.
  var summary: String {
    switch self {
    case .noAnswer: "There was no complete answer."
    case .status: "The HTTP status, or the gRPC code in the body, is not the expected one."
    case .accepted: "A request that the contract refuses was accepted."
    case .errorShape: "The body of a failure has none of the contract's three shapes."
    case .contentType: "The content type is not JSON."
    case .notJSON: "The body is not JSON."
    case .unknownField: "The contract does not define the field."
    case .missing: "A field is absent."
    case .renamed: "A field is absent, and an unknown one with a similar name is present."
    case .wrongType: "A value has another type."
    case .outOfRange: "A value does not fit its type, or is implausible."
    case .nameStyle: "A name is in the other style."
    case .alias: "A field has its alias as its name."
    case .int64Form: "A 64-bit integer is a string instead of a number, or vice versa."
    case .numberForm: "A number is in another form."
    case .timestampForm: "A time is in another form."
    case .enumForm: "An enum's value is a number."
    case .repeatedField: "A field is present twice."
    case .nullValue: "A value is null."
    case .inconsistent: "Values contradict each other."
    case .lost: "A created or changed record differs from what was sent."
    case .leak: "A caller gets something that only others may see."
    }
  }
}

extension ContractDifference {
  /// - Parameter hasBaseline: whether results have suppressions: either all of them have the property, or none has.
  fileprivate func result(ruleIndex: Int, hasBaseline: Bool) -> JSONValue {
    let path = RPCRegistry.nova.rpc(named: rpc)?.http.path.drop { $0 == "/" } ?? ""
    let isWhole = self.path.isEmpty
    let place: JSONValue = [
      // Code scanning requires a file and a line; the path of the RPC is in place of a file.
      "physicalLocation": ["artifactLocation": ["uri": .string(Self.uri(path))], "region": ["startLine": 1]],
      "logicalLocations": [
        [
          "name": .string(isWhole ? rpc : self.path),
          "fullyQualifiedName": .string(isWhole ? rpc : "\(rpc) \(self.path)"),
          "kind": isWhole ? "function" : "member",
        ]
      ],
    ]
    let entries = baselineEntries.map { [$0.rpc, $0.check.rawValue, $0.grade.rawValue, $0.path, $0.request ?? ""] }
    let fingerprint = entries.map { $0.joined(separator: "|") }.joined(separator: "\n")
    return [
      "ruleId": .string(kind.rawValue), "ruleIndex": .number(ruleIndex), "level": level,
      "message": ["text": "\(rpc), \(sentence)"], "locations": [place], "occurrenceCount": .number(max(1, count)),
      "partialFingerprints": ["novaContract/v1": .string(fingerprint)],
      "suppressions": hasBaseline ? .array(acceptedReason.map { [Self.suppression($0)] } ?? []) : nil,
      "properties": [
        "request": .string(request), "expected": .string(expected), "found": .string(found),
        "curl": evidence.map { .string($0.curl) }, "response": evidence.map { .string($0.response()) },
      ],
    ]
  }

  private var level: JSONValue {
    switch grade {
    case .breaking: "error"
    case .tolerated: "warning"
    case .additive: "note"
    }
  }

  private static func suppression(_ reason: String) -> JSONValue {
    ["kind": "external", "justification": .string(reason.isEmpty ? "in the baseline" : reason)]
  }

  /// A path as a relative URI; braces of path parameters are not valid in one.
  private static func uri(_ path: Substring) -> String {
    String(path).replacing("{", with: "%7B").replacing("}", with: "%7D")
  }
}

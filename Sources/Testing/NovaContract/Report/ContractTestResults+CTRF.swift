public import NovaCore
import NovaCoverage
import NovaRegistry

extension ContractReport {
  /// The report in the Common Test Report Format (ctrf.io): a test for each RPC, in the suite of its service.
  public var ctrf: JSONValue {
    var members = testResults.ctrf.memberList ?? []
    if showsCoverage, let coverage { members.append(.init(name: "extra", value: ["coverage": coverage.json])) }
    return .object(members)
  }
}

extension ContractTestResults {
  /// The results in the Common Test Report Format (ctrf.io).
  package var ctrf: JSONValue {
    let tests = suites.flatMap { suite in suite.cases.map { test($0, in: suite.name) } }
    let stop = start + cases.reduce(0) { $0 + $1.duration.inMilliseconds }
    let count = { (status: String) in JSONValue.number(tests.count { $0["status"]?.stringValue == status }) }
    return [
      "reportFormat": "CTRF", "specVersion": "1.0.0", "generatedBy": .string(tool),
      "results": [
        "tool": ["name": .string(tool), "version": .string(NovaSDKVersion.current)],
        "summary": [
          "tests": .number(tests.count), "passed": count("passed"), "failed": count("failed"),
          "skipped": count("skipped"), "pending": 0, "other": count("other"), "suites": .number(suites.count),
          "start": .number(start), "stop": .number(stop), "duration": .number(stop - start),
        ],
        "tests": .array(tests), "environment": ["appName": .string(target)],
      ],
    ]
  }

  private func test(_ test: Case, in suite: String) -> JSONValue {
    var (status, message, trace, raw): (String, String?, String?, String?) = ("passed", nil, nil, nil)
    switch test.outcome {
    case .passed: break
    case .failed(let text, let kind, let details): (status, message, trace, raw) = ("failed", text, details, kind)
    case .ended(let text): (status, message, raw) = ("failed", text, "stopped")
    case .skipped(let reason): (status, message) = ("skipped", reason)
    }
    let lines = test.output.isEmpty ? nil : JSONValue.strings(test.output.parts(between: "\n", keepsEmpty: true))
    return [
      "name": .string(test.name), "status": .string(status), "duration": .number(test.duration.inMilliseconds),
      "suite": [.string(suite)], "message": message.map { .string($0) }, "trace": trace.map { .string($0) },
      "rawStatus": raw.map { .string($0) }, "type": "contract", "stdout": lines,
    ]
  }
}

extension Duration {
  fileprivate var inMilliseconds: Int {
    Int(components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
  }
}

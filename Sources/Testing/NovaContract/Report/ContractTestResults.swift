/// Results of a check or of a suite as tests, for the formats of CI servers: suites of cases, each with one outcome.
///
/// The one place from which JUnit and CTRF reports are written.
package struct ContractTestResults: Sendable {
  package enum Outcome: Sendable {
    case passed
    /// - Parameters:
    ///   - message: one line.
    ///   - kind: what kind of failure it is.
    ///   - details: everything about it, in lines.
    case failed(message: String, kind: String, details: String)
    /// The case could not be completed.
    case ended(message: String)
    case skipped(reason: String?)
  }

  package struct Case: Sendable {
    package let name: String
    /// What CI servers group cases by: `nova.graph`.
    package let group: String
    package let duration: Duration
    package let outcome: Outcome
    /// What was found besides; empty for nothing.
    package var output = ""

    package init(_ name: String, in group: String, taking duration: Duration, outcome: Outcome, output: String = "") {
      (self.name, self.group, self.duration, self.outcome, self.output) = (name, group, duration, outcome, output)
    }
  }

  package struct Suite: Sendable {
    package let name: String
    package var cases: [Case]

    package init(_ name: String, _ cases: [Case]) { (self.name, self.cases) = (name, cases) }
  }

  /// The program's name: `nova contract check`.
  package let tool: String
  /// What was tested.
  package let target: String
  /// When the run began, in milliseconds since 1970.
  package let start: Int
  package var suites: [Suite]

  package init(tool: String, target: String, start: Int, suites: [Suite]) {
    (self.tool, self.target, self.start, self.suites) = (tool, target, start, suites)
  }

  var cases: [Case] { suites.flatMap(\.cases) }
}

extension ContractReport {
  /// The report as tests: a suite for each service, a case for each RPC. A check that ended early has one more case.
  package var testResults: ContractTestResults {
    var suites: [ContractTestResults.Suite] = []
    for result in results {
      let name = String(result.rpc.prefix { $0 != "." })
      if suites.last?.name != name { suites.append(.init(name, [])) }
      suites[suites.count - 1].cases.append(testCase(result))
    }
    if !gatewayDifferences.isEmpty {
      var result = RPCResult(rpc: "\(Self.gateway).responses")
      result.differences = gatewayDifferences
      suites.append(.init(Self.gateway, [testCase(result)]))
    }
    if let stop {
      let ended = ContractTestResults.Case(
        "to its end", in: "check", taking: .zero, outcome: .ended(message: stop.description))
      suites.append(.init("check", [ended]))
    }
    return ContractTestResults(tool: "nova contract check", target: target, start: start, suites: suites)
  }

  private func testCase(_ result: RPCResult) -> ContractTestResults.Case {
    let failures = result.differences.filter(fails)
    let outcome: ContractTestResults.Outcome =
      if let first = failures.first {
        .failed(message: first.sentence, kind: first.kind.rawValue, details: Self.text(of: failures))
      } else if let reason = result.unchecked { .skipped(reason: reason) } else { .passed }
    return ContractTestResults.Case(
      String(result.rpc.drop { $0 != "." }.dropFirst()), in: "nova.\(result.rpc.prefix { $0 != "." })",
      taking: result.duration, outcome: outcome, output: Self.text(of: result.differences.filter { !fails($0) }))
  }

  private static func text(of differences: [ContractDifference]) -> String {
    differences.map(\.details).joined(separator: "\n")
  }
}

extension ContractDifference {
  /// Everything about the difference, in lines: the sentence, the request as curl, the response.
  fileprivate var details: String {
    var lines = ["\(grade): \(kind): \(sentence)\(knownSuffix)"]
    if let evidence { lines += [evidence.curl, evidence.response()] }
    return lines.joined(separator: "\n")
  }
}

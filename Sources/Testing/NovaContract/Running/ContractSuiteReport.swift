package import NovaCore

/// The result of running scenarios against one backend, for reports.
package struct ContractSuiteReport: Sendable {
  package struct Scenario: Sendable {
    package let name: String
    /// One sentence that describes what it shows.
    package let summary: String
    package let result: ScenarioResult
    package let duration: Duration

    /// Its steps that break the contract: the step, and how.
    package var problems: [(step: String, problem: String)] {
      result.observations.compactMap { step in step.problem.map { (step.name, $0) } }
    }
  }

  /// The name of the backend.
  package let target: String
  /// When the run began, in milliseconds since 1970.
  package let start: Int
  /// The scenarios that were run, in the catalog's order.
  package let scenarios: [Scenario]
  /// The names of those that were left out, because they write.
  package let skipped: [String]

  package var problemCount: Int { scenarios.reduce(0) { $0 + $1.problems.count } }
  package var failedCount: Int { scenarios.count { !$0.problems.isEmpty } }

  /// `http://localhost:8080: 26 of 26 scenarios passed, with 450 steps`
  package var summary: String {
    let steps = scenarios.reduce(0) { $0 + $1.result.observations.count }
    let left = skipped.isEmpty ? "" : "; \(skipped.count) that write were not run"
    let passed = scenarios.count - failedCount
    return "\(target): \(passed) of \(scenarios.count) scenarios passed, with \(steps) steps\(left)"
  }

  /// The scenarios as tests: a suite for each part of the name before its period.
  package var testResults: ContractTestResults {
    var suites: [ContractTestResults.Suite] = []
    func add(_ name: String, taking duration: Duration, _ outcome: ContractTestResults.Outcome) {
      let group = String(name.prefix { $0 != "." })
      let test = ContractTestResults.Case(name, in: "nova.\(group)", taking: duration, outcome: outcome)
      if let index = suites.firstIndex(where: { $0.name == group }) {
        suites[index].cases.append(test)
      } else {
        suites.append(.init(group, [test]))
      }
    }
    for scenario in scenarios {
      let problems = scenario.problems.map { "step \"\($0.step)\": \($0.problem)" }
      guard let first = problems.first else {
        add(scenario.name, taking: scenario.duration, .passed)
        continue
      }
      add(
        scenario.name, taking: scenario.duration,
        .failed(message: first, kind: "scenario", details: problems.joined(separator: "\n")))
    }
    for name in skipped { add(name, taking: .zero, .skipped(reason: "it writes, and the run is read-only")) }
    return ContractTestResults(tool: "nova contract suite", target: target, start: start, suites: suites)
  }

  /// The report as JSON, in a fixed order.
  package var json: JSONValue {
    [
      "passed": .bool(failedCount == 0), "target": .string(target), "scenarios": .array(scenarios.map(\.json)),
      "skipped": .strings(skipped),
    ]
  }
}

extension ContractSuiteReport.Scenario {
  fileprivate var json: JSONValue {
    [
      "scenario": .string(name), "summary": .string(summary), "passed": .bool(problems.isEmpty),
      "steps": .number(result.observations.count),
      "problems": .array(problems.map { ["step": .string($0.step), "problem": .string($0.problem)] }),
    ]
  }
}

extension ContractSuite {
  /// Runs the scenarios, and makes a report of them.
  ///
  /// - Parameters:
  ///   - backend: the name of the backend in the report.
  ///   - isReadOnly: whether scenarios that write are left out.
  ///   - seed: determines the names of users and records. Default: random names.
  ///   - clock: measures.
  ///   - progress: called after each scenario with the number of those that have ended.
  package func report(
    _ backend: String, isReadOnly: Bool, concurrency: Int = 8, seed: UInt64? = nil,
    clock: any CallClock = ContinuousClock(),
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async -> ContractSuiteReport {
    let start = Int(clock.unixTime * 1000)
    let suite = isReadOnly ? readOnly : self
    let durations = Locked<[String: Duration]>([:])
    let run = await suite.run(backend, concurrency: concurrency, seed: seed, clock: clock) { name, duration in
      let count = durations.withLock { durations in
        durations[name] = duration
        return durations.count
      }
      progress(count)
    }
    let byName = Dictionary(scenarios.map { ($0.name, $0) }) { first, _ in first }
    let reported = run.results.map { result in
      ContractSuiteReport.Scenario(
        name: result.scenario, summary: byName[result.scenario]?.summary ?? "", result: result,
        duration: durations.withLock { $0[result.scenario] } ?? .zero)
    }
    let names = Set(suite.scenarios.map(\.name))
    return ContractSuiteReport(
      target: backend, start: start, scenarios: reported, skipped: scenarios.map(\.name).filter { !names.contains($0) })
  }
}

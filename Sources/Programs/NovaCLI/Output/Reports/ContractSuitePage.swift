import NovaContract
import NovaCore

extension ContractSuiteReport: WrittenReport {
  func text(as format: ContractReportFormat, _ styles: Styles, width: Int?) -> String {
    switch format {
    case .json: ContractReportFormat.text(json)
    case .ctrf: ContractReportFormat.text(testResults.ctrf)
    case .junit: testResults.junit
    // Options refuse the other formats.
    default: ContractSuitePage(self, styles, width: width).lines.joined(separator: "\n") + "\n"
    }
  }
}

/// The scenarios of a run for people: those that failed, with each step, then the count.
struct ContractSuitePage {
  private let report: ContractSuiteReport
  private let styles: Styles
  /// The width of the terminal; nil for a file or a pipe.
  private let width: Int?

  init(_ report: ContractSuiteReport, _ styles: Styles, width: Int?) {
    (self.report, self.styles, self.width) = (report, styles, width)
  }

  var lines: [String] {
    let scenarios = report.scenarios.flatMap { scenario -> [String] in
      let problems = scenario.problems
      guard !problems.isEmpty else { return ["passed  \(scenario.name)"] }
      let heading = wrapped("failed  \(scenario.name): \(scenario.summary)", rest: "        ").map(styles.error)
      return heading + problems.flatMap { wrapped("        \($0.step): \($0.problem)", rest: "          ") }
    }
    let skipped = report.skipped.map { styles.faint("skipped \($0)") }
    return scenarios + skipped + wrapped(report.summary, rest: "  ").map(styles.heading)
  }

  private func wrapped(_ text: String, rest: String) -> [String] {
    guard let width else { return [text.displayed] }
    let lines = text.displayed.wrapped(to: max(12, width - rest.columns), splittingWords: true)
    return lines.enumerated().map { ($0 == 0 ? "" : rest) + $1 }
  }
}

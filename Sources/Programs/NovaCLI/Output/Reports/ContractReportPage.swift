import NovaContract
import NovaCore

/// A contract report for people. Texts are wrapped, never cut; only responses show their beginning.
struct ContractReportPage {
  private static let bodyLength = 300
  /// Longer commands fill the screen, and are in the other formats.
  private static let longestCommand = 2_000
  private static let labels = 10

  private let report: ContractReport
  private let styles: Styles
  /// The width of the terminal; nil for a file or a pipe.
  private let width: Int?

  init(_ report: ContractReport, _ styles: Styles, width: Int?) {
    self.report = report
    self.styles = styles
    self.width = width
  }

  var lines: [String] {
    var lines = report.differences.flatMap(section)
    let unchecked = Dictionary(grouping: report.results.filter { $0.unchecked != nil }) { $0.unchecked ?? "" }
    for (reason, results) in unchecked.sorted(by: { $0.key < $1.key }) {
      let rpcs = results.count == report.results.count ? "all RPCs" : results.map(\.rpc).joined(separator: ", ")
      lines += wrapped("not checked, because \(reason): \(rpcs)")
    }
    for skipped in report.skippedChecks {
      lines += wrapped("not checked, because \(skipped.reason): \(skipped.probes.joined(separator: ", "))")
    }
    for skipped in report.skippedProbes {
      lines += wrapped("not probed for leaks: \(skipped.probes.joined(separator: ", ")), because \(skipped.reason)")
    }
    let kept = [
      ("left behind", report.leftBehind), ("not cleaned up", report.notCleanedUp),
      ("no longer found", report.staleEntries.map(\.description)),
    ]
    for (heading, items) in kept where !items.isEmpty {
      lines += wrapped("\(heading): \(items.joined(separator: ", "))")
    }
    if report.showsCoverage, let coverage = report.coverage {
      lines += ContractCoveragePage(coverage, styles, width: width).lines
    }
    return lines + wrapped(report.summary).map(styles.heading)
  }

  private func section(_ difference: ContractDifference) -> [String] {
    let grade = difference.isKnown ? "known, \(difference.grade)" : "\(difference.grade)"
    var lines = wrapped("\(grade): \(difference.rpc), \(difference.request)").map { line in
      switch difference.grade {
      case _ where difference.isKnown: styles.faint(line)
      case .breaking: styles.error(line)
      case .tolerated: styles.warning(line)
      case .additive: styles.faint(line)
      }
    }
    if !difference.path.isEmpty { lines += field("where", difference.path) }
    lines += field("expected", difference.expected)
    let times = difference.count > 1 ? " (\(difference.count) times)" : ""
    lines += field("found", difference.found + times)
    if let reason = difference.acceptedReason { return lines + (reason.isEmpty ? [] : field("reason", reason)) + [""] }
    if let evidence = difference.evidence {
      let command = evidence.curl.displayed
      let isLong = command.count > Self.longestCommand
      // Left to the terminal to wrap, so that it can be copied.
      lines.append("  \(isLong ? "(a curl command of \(command.count) characters; see --report json)" : command)")
      lines += field("response", evidence.response(bodyLength: Self.bodyLength))
    }
    return lines + [""]
  }

  private func field(_ name: String, _ text: String) -> [String] {
    wrapped(text, first: "  \(name.padded(to: Self.labels))", rest: String(repeating: " ", count: Self.labels + 2))
  }

  private func wrapped(_ text: String, first: String = "", rest: String = "  ") -> [String] {
    guard let width else { return [first + text.displayed] }
    let lines = text.displayed.wrapped(to: max(12, width - rest.columns), splittingWords: true)
    return lines.enumerated().map { ($0 == 0 ? first : rest) + $1 }
  }
}

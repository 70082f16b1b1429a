import ArgumentParser
import NovaContract
import NovaCore

/// The format and the destination of a contract report.
struct ContractReportOptions: ParsableArguments {
  @Option(help: "Format of the report.")
  var report: ContractReportFormat = .table

  @Option(
    help: ArgumentHelp(
      "File to write the report to (default: standard output).", valueName: "file"),
    completion: .file())
  var out: String?
}

enum ContractReportFormat: String, ExpressibleByArgument, CaseIterable {
  /// For people.
  case table
  case json
  /// XML as CI servers read it.
  case junit
  case markdown
}

/// Writes contract reports.
struct ContractReportWriter {
  let options: ContractReportOptions

  func write(_ report: ContractReport) throws {
    let output = StandardOutput()
    let styles = options.out == nil ? output.styles : Styles(isTerminal: false, noColor: nil, terminal: nil)
    let width = options.out == nil ? System.terminalWidth(output.descriptor) : nil
    let text = text(report, in: styles, width: width)
    guard let path = options.out else {
      if options.report == .json { try output.write(json: Array(text.utf8)) } else { try output.write(text) }
      return try output.flush()
    }
    do throws(SystemError) {
      try System.replaceFile(path, with: Array(text.utf8))
    } catch {
      throw Failure("cannot write \(path): \(error.reason)", .failed)
    }
    Diagnostics.note(report.summary)
  }

  private func text(_ report: ContractReport, in styles: Styles, width: Int?) -> String {
    switch options.report {
    case .json: String(decoding: PrettyJSON.spread(report.json), as: UTF8.self) + "\n"
    case .junit: report.junit
    case .markdown: report.markdown
    case .table: Self.table(report, styles, width: width).joined(separator: "\n") + "\n"
    }
  }

  private static func table(_ report: ContractReport, _ styles: Styles, width: Int?) -> [String] {
    var lines: [String] = []
    if !report.differences.isEmpty {
      var columns = TableColumns(
        ["CLASS", "RPC", "REQUEST", "WHERE", "EXPECTED", "FOUND"], width: width, texts: [2, 3, 4, 5])
      let rows = columns.lines(report.differences.map(cells))
      lines += [styles.heading(columns.heading)]
      lines += zip(report.differences, rows).map { difference, row in
        switch difference.grade {
        case .breaking: styles.error(row)
        case .tolerated: row
        case .additive: styles.faint(row)
        }
      }
      lines.append("")
    }
    let unchecked = Dictionary(grouping: report.results.filter { $0.unchecked != nil }) { $0.unchecked ?? "" }
    for (reason, results) in unchecked.sorted(by: { $0.key < $1.key }) {
      lines.append("not checked, \(reason): \(results.map(\.rpc).joined(separator: ", "))".displayed)
    }
    let kept = [("left behind", report.leftBehind), ("not cleaned up", report.notCleanedUp)]
    for (heading, items) in kept where !items.isEmpty {
      lines.append("\(heading): \(items.joined(separator: ", "))".displayed)
    }
    return lines + [styles.heading(report.summary.displayed)]
  }

  private static func cells(_ difference: ContractDifference) -> [String] {
    let times = difference.count > 1 ? " (\(difference.count) times)" : ""
    return [
      difference.grade.rawValue, difference.rpc, difference.request, difference.path.isEmpty ? "-" : difference.path,
      difference.expected, difference.found + times,
    ]
  }
}

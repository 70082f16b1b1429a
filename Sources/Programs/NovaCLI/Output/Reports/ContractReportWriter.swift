import NovaContract
import NovaCore

/// Writes contract reports.
struct ContractReportWriter {
  let options: ContractReportOptions

  /// Writes every report, also if one of them cannot be written.
  func write(_ report: ContractReport) throws {
    let written = options.destinations.map { destination in Result { try write(report, to: destination) } }
    try written.forEach { try $0.get() }
    if options.destinations.allSatisfy({ $0.path != nil }) { Diagnostics.note(report.summary) }
    let stale = report.staleEntries.count
    if stale > 0 {
      let entries = stale == 1 ? "1 entry of the baseline was" : "\(stale) entries of the baseline were"
      Diagnostics.warning("\(entries) not found again; remove them with --update-baseline")
    }
  }

  private func write(_ report: ContractReport, to destination: ContractReportDestination) throws {
    guard let path = destination.path else {
      let output = StandardOutput()
      let page = ContractReportPage(report, output.styles, width: System.terminalWidth(output.descriptor))
      switch destination.format {
      case .json, .sarif: try output.write(json: Array(text(report, as: destination.format, for: page).utf8))
      default: try output.write(text(report, as: destination.format, for: page))
      }
      return try output.flush()
    }
    let page = ContractReportPage(report, Styles(isTerminal: false, noColor: nil, terminal: nil), width: nil)
    let bytes = Array(text(report, as: destination.format, for: page).utf8)
    try Failure.writing(path) { try System.replaceFile(path, with: bytes) }
  }

  private func text(
    _ report: ContractReport, as format: ContractReportFormat, for page: ContractReportPage
  ) -> String {
    switch format {
    case .json: String(decoding: PrettyJSON.spread(report.json), as: UTF8.self) + "\n"
    case .sarif: String(decoding: PrettyJSON.spread(report.sarif), as: UTF8.self) + "\n"
    case .junit: report.junit
    case .markdown: report.markdown
    case .github: report.gitHubAnnotations
    case .table: page.lines.joined(separator: "\n") + "\n"
    }
  }
}

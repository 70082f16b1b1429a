import NovaContract
import NovaCore

/// A report that can be written in the formats of ``ContractReportFormat``.
protocol WrittenReport {
  /// The report in a format.
  ///
  /// - Parameters:
  ///   - styles: how a table is highlighted.
  ///   - width: the width of a table; nil for a file or a pipe.
  func text(as format: ContractReportFormat, _ styles: Styles, width: Int?) -> String
  /// The report in one line.
  var summary: String { get }
}

/// Writes reports of checks and of suites.
struct ContractReportWriter {
  let options: ContractReportOptions

  /// Writes every report, also if one of them cannot be written.
  func write(_ report: some WrittenReport) throws {
    let written = options.destinations.map { destination in Result { try write(report, to: destination) } }
    try written.forEach { try $0.get() }
    if options.destinations.allSatisfy({ $0.path != nil }) { Diagnostics.note(report.summary) }
  }

  private func write(_ report: some WrittenReport, to destination: ContractReportDestination) throws {
    guard let path = destination.path else {
      let output = StandardOutput()
      let text = report.text(
        as: destination.format, output.styles, width: System.terminalWidth(output.descriptor))
      if destination.format.isJSON { try output.write(json: Array(text.utf8)) } else { try output.write(text) }
      return try output.flush()
    }
    let styles = Styles(isTerminal: false, noColor: nil, terminal: nil)
    let bytes = Array(report.text(as: destination.format, styles, width: nil).utf8)
    try Failure.writing(path) { try System.replaceFile(path, with: bytes) }
  }
}

extension ContractReportFormat {
  fileprivate var isJSON: Bool { [.json, .sarif, .ctrf].contains(self) }

  static func text(_ json: JSONValue) -> String { String(decoding: PrettyJSON.spread(json), as: UTF8.self) + "\n" }
}

extension ContractReport: WrittenReport {
  func text(as format: ContractReportFormat, _ styles: Styles, width: Int?) -> String {
    switch format {
    case .json: ContractReportFormat.text(json)
    case .sarif: ContractReportFormat.text(sarif)
    case .ctrf: ContractReportFormat.text(ctrf)
    case .junit: junit
    case .markdown: markdown
    case .github: gitHubAnnotations
    case .table: ContractReportPage(self, styles, width: width).lines.joined(separator: "\n") + "\n"
    }
  }

  /// Warns about entries of the baseline that were not found again.
  func warnAboutStaleEntries() {
    let stale = staleEntries.count
    guard stale > 0 else { return }
    let entries = stale == 1 ? "1 entry of the baseline was" : "\(stale) entries of the baseline were"
    Diagnostics.warning("\(entries) not found again; remove them with --update-baseline")
  }
}

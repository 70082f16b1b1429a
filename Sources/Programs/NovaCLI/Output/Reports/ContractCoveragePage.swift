import NovaContract
import NovaCore
import NovaCoverage

/// How much of a contract was tried, for people: a line for each RPC, then what was never tried.
struct ContractCoveragePage {
  private let coverage: ContractCoverage
  private let styles: Styles
  /// The width of the terminal; nil for a file or a pipe.
  private let width: Int?

  init(_ coverage: ContractCoverage, _ styles: Styles, width: Int?) {
    (self.coverage, self.styles, self.width) = (coverage, styles, width)
  }

  var lines: [String] {
    let rows = coverage.rpcs.map { rpc in
      [rpc.rpc] + ContractCoverage.kinds.map { kind in rpc.shares[kind].map { "\($0.tried)/\($0.total)" } ?? "-" }
    }
    let table = Table(
      headings: ["TRIED", "STATUSES", "FIELDS", "CONSTRAINTS"], rows: rows, width: width, fit: TableFit(texts: []))
    let missing = coverage.rpcs.filter { !$0.missing.isEmpty }
    let list = missing.flatMap { rpc in wrapped("never tried: \(rpc.rpc): \(rpc.missingText)").map(styles.faint) }
    let other = coverage.unexpectedStatuses.map { "\($0.point.rpc) \($0.point.name)" }
    let unexpected =
      other.isEmpty ? [] : wrapped("statuses that the contract does not name: " + other.joined(separator: ", "))
    return table.lines(styles) + [""] + list + unexpected + wrapped(coverage.summary).map(styles.heading) + [""]
  }

  private func wrapped(_ text: String) -> [String] {
    guard let width else { return [text.displayed] }
    let lines = text.displayed.wrapped(to: max(12, width - 2), splittingWords: true)
    return lines.enumerated().map { ($0 == 0 ? "" : "  ") + $1 }
  }
}

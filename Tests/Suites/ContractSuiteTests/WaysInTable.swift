import Foundation
import NovaContract
import NovaCore
import NovaTestSupport
import Testing

/// What the suite and the check found on every way, as the table of docs/contract-suite.md.
struct WaysInTable {
  /// A row, with a cell for each way; nil for one that was not run.
  struct Row: Hashable {
    let name: String
    var cells: [String?]
  }

  static let page = Checkout.root.appending(path: "docs/contract-suite.md")

  let rows: [Row]

  /// - Parameter findings: those of the ways that are there; the first one is what others are compared with.
  init(_ findings: [WayIn: WayIn.Findings]) {
    let first = findings[.inProcess]?.run ?? ContractRun(backend: "", results: [])
    var rows = first.results.map { result in
      Row(
        name: "\(result.scenario) (\(result.observations.count) steps)",
        cells: WayIn.allCases.map { way in findings[way].map { Self.cell(of: result, first, $0.run, by: way) } })
    }
    for grade in ContractDifference.Grade.allCases {
      rows.append(
        Row(
          name: "contract check: \(grade) differences",
          cells: WayIn.allCases.map { way in findings[way].map { Self.cell($0.report, grade) } }))
    }
    rows.append(
      Row(
        name: "contract check: RPCs not checked",
        cells: WayIn.allCases.map { way in
          findings[way].map { "\($0.report.results.count - $0.report.checkedCount)" }
        }))
    self.rows = rows
  }

  /// `equal`, or where a way differs.
  private static func cell(of result: ScenarioResult, _ first: ContractRun, _ run: ContractRun, by way: WayIn) -> String
  {
    // A gateway may choose what the contract leaves to it.
    let comparison = ContractComparison(first, run, strictness: way == .gateway ? .contract : .exact)
    let steps = comparison.differences.filter { $0.scenario == result.scenario }.map { $0.step }
    if steps.isEmpty { return "equal" }
    var seen: Set<String> = []
    return "differs: " + steps.filter { seen.insert($0).inserted }.joined(separator: ", ")
  }

  private static func cell(_ report: ContractReport, _ grade: ContractDifference.Grade) -> String {
    let differences = report.differences.filter { $0.grade == grade }
    if differences.isEmpty { return "none" }
    var kinds: [String] = []
    for difference in differences {
      let kind =
        difference.rpc == ContractReport.gateway && difference.path.isEmpty
        ? difference.request : difference.path.isEmpty ? "\(difference.kind)" : difference.path
      if !kinds.contains(kind) { kinds.append(kind) }
    }
    return "\(differences.count): " + kinds.sorted().joined(separator: ", ")
  }

  // MARK: The page

  private static let begin = "<!-- made by `make ways-in` -->\n", end = "<!-- end -->\n"

  /// The page with these rows in place of those it has. Cells of ways that were not run stay.
  func replacing(in page: String) throws -> String {
    let start = try #require(page.range(of: Self.begin), "the page has no place for the table")
    let end = try #require(page.range(of: Self.end, range: start.upperBound..<page.endIndex))
    let old = Self.rows(of: String(page[start.upperBound..<end.lowerBound]))
    let merged = rows.map { row -> Row in
      let before = old.first { $0.name == row.name }
      return Row(
        name: row.name, cells: row.cells.enumerated().map { $1 ?? before?.cells[$0] })
    }
    return page[..<start.upperBound] + "\n" + Self.text(merged) + "\n" + page[end.lowerBound...]
  }

  private static func text(_ rows: [Row]) -> String {
    let head = ["what"] + WayIn.allCases.map(\.rawValue)
    let lines = [head, head.map { _ in "---" }] + rows.map { [$0.name] + $0.cells.map { $0 ?? "not run" } }
    return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n") + "\n"
  }

  private static func rows(of text: String) -> [Row] {
    text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2).map { line in
      let cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
      let known = Array(cells.dropFirst()).map { Optional($0) }
      return Row(
        name: cells.first ?? "", cells: known + Array(repeating: nil, count: max(0, WayIn.allCases.count - known.count))
      )
    }
  }
}

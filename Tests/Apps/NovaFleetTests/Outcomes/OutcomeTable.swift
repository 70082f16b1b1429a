import NovaCore
import Testing

/// The table of docs/fleet.md.
enum OutcomeTable {
  private static let start = "<!-- made by `make fleet-table` -->\n"
  private static let end = "<!-- end -->\n"

  /// The page with this table in the place of the one it has.
  static func replacing(in page: String) throws -> String {
    let start = try #require(page.firstRange(of: start), "the page has no place for the table")
    let end = try #require(page[start.upperBound...].firstRange(of: end), "the table has no end")
    return page[..<start.upperBound] + "\n" + text + "\n" + page[end.lowerBound...]
  }

  private static var text: String {
    let head = ["failure"] + FleetPart.allCases.map(\.rawValue)
    let rows = FleetFailure.allCases.map { failure in
      [failure.summary] + FleetPart.allCases.map { cell(failure, $0) }
    }
    return ([head, head.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }

  private static func cell(_ failure: FleetFailure, _ part: FleetPart) -> String {
    let outcomes = FleetOutcome.all.filter { $0.failure == failure && $0.part == part }
    return outcomes.isEmpty
      ? "—" : outcomes.map { $0.facts.map(\.text).joined(separator: "; ") }.joined(separator: ". ")
  }
}

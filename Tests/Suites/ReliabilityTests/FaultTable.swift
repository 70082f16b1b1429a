import Foundation
import NovaTesting
import Testing

/// The suite's outcomes as a table of docs/reliability.md.
struct FaultTable {
  let rows: [FaultRow]

  private static let (begin, end) = ("<!-- made by `make faults` -->\n", "<!-- end -->\n")

  /// The page with this table in the place of the one it has.
  func replacing(in page: String) throws -> String {
    let start = try #require(page.range(of: Self.begin), "the page has no place for the table")
    let end = try #require(page.range(of: Self.end, range: start.upperBound..<page.endIndex))
    return page[..<start.upperBound] + "\n" + table + "\n" + page[end.lowerBound...]
  }

  private var table: String {
    let head = ["fault", "", "read, idempotent write", "other write", "other write, key recognized"]
    let lines = [head, Array(repeating: "---", count: head.count)] + rows.flatMap(Self.lines)
    return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n") + "\n"
  }

  private static func cells(_ row: FaultRow, _ duration: FaultDuration) -> [String] {
    [FaultCall.read, .write, .keyedWrite].map { call in
      guard let outcome = row.outcomes[duration]?[call] else { return "?" }
      // Whether a byte had left is a race then, and both ends of it are right.
      if row.name == Fault.resetOnConnect.name, call == .write { return "answer or `networkError`, never twice" }
      return outcome.description
    }
  }

  private static func lines(_ row: FaultRow) -> [[String]] {
    let (once, always) = (cells(row, .once), cells(row, .always))
    let name = "**\(row.name)** \(row.summary)"
    if once == always { return [[name, "once, always"] + once] }
    return [[name, "once"] + once, ["", "always"] + always]
  }
}

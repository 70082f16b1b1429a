import Foundation
import NovaTesting
import Testing

/// The suite's outcomes as a table of docs/reliability.md.
struct FaultTable {
  /// Which of the page's tables it is.
  enum Kind: String {
    case http = "<!-- made by `make faults` -->\n"
    case grpc = "<!-- made by `make faults`, over gRPC -->\n"
  }

  let rows: [FaultRow]
  let kind: Kind

  private static let end = "<!-- end -->\n"

  /// The page with this table in the place of the one it has.
  func replacing(in page: String) throws -> String {
    let start = try #require(page.range(of: kind.rawValue), "the page has no place for the table")
    let end = try #require(page.range(of: Self.end, range: start.upperBound..<page.endIndex))
    return page[..<start.upperBound] + "\n" + table + "\n" + page[end.lowerBound...]
  }

  private var table: String {
    let last = kind == .http ? "over gRPC" : "stream"
    let head = ["fault", "", "read, idempotent write", "other write", "other write, key recognized", last]
    let lines = [head, Array(repeating: "---", count: head.count)] + rows.flatMap(lines)
    return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n") + "\n"
  }

  private static let calls = [FaultCall.read, .write, .keyedWrite]

  private static func cells(_ outcomes: FaultOutcomes?, of row: FaultRow, lasting duration: FaultDuration) -> [String] {
    calls.map { call in
      guard let outcome = outcomes?[duration]?[call] else { return "?" }
      // Whether a byte had left is a race then, and both ends of it are right.
      if row.name == Fault.resetOnConnect.name, call == .write { return "answer or `networkError`, never twice" }
      return outcome.description
    }
  }

  /// The outcomes over gRPC, as far as they differ.
  private static func differences(_ row: FaultRow, _ duration: FaultDuration) -> String {
    guard row.overGRPC != nil else { return "—" }
    let names = ["read", "other write", "key recognized"]
    let (http, grpc) = (
      cells(row.outcomes, of: row, lasting: duration), cells(row.overGRPC, of: row, lasting: duration)
    )
    let others = names.indices.filter { http[$0] != grpc[$0] }
    if others.isEmpty { return "the same" }
    if others.count == names.count, Set(grpc).count == 1 { return grpc[0] }
    return others.map { "\(names[$0]): \(grpc[$0])" }.joined(separator: "; ")
  }

  private func cells(_ row: FaultRow, _ duration: FaultDuration) -> [String] {
    let last = kind == .http ? Self.differences(row, duration) : row.streams[duration] ?? "?"
    return Self.cells(row.outcomes, of: row, lasting: duration) + [last]
  }

  private func lines(_ row: FaultRow) -> [[String]] {
    let (once, always) = (cells(row, .once), cells(row, .always))
    let name = "**\(row.name)** \(row.summary)"
    if once == always { return [[name, "once, always"] + once] }
    return [[name, "once"] + once, ["", "always"] + always]
  }
}

import Foundation
import NovaContract
import NovaCore
import NovaTestSupport
import Testing

/// One backend, every way in: the scenarios return the same, and the check finds nothing but what the page explains.
@Suite(.hangLimit) struct WaysInTests {
  @Test func theTableIsWhatHappens() async throws {
    var findings: [WayIn: WayIn.Findings] = [:]
    for way in WayIn.allCases where way.isThere { findings[way] = try await way.findings() }
    for (way, found) in findings {
      let problems = found.run.problems.joined(separator: "\n")
      #expect(found.run.problems.isEmpty, "\(way.rawValue): \(problems)")
      let breaking = found.report.differences.filter { $0.grade == .breaking }
      #expect(breaking.isEmpty, "\(way.rawValue): \(breaking.map { "\($0.rpc) \($0)" })")
      let stop = found.report.stop.map { "\($0)" }
      #expect(stop == nil, "\(way.rawValue)")
    }
    let old = try String(contentsOf: WaysInTable.page, encoding: .utf8)
    let new = try WaysInTable(findings).replacing(in: old)
    if ProcessInfo.processInfo.environment["UPDATE_DOCS"] == "1" { try Data(new.utf8).write(to: WaysInTable.page) }
    #expect(
      try String(contentsOf: WaysInTable.page, encoding: .utf8) == new,
      "run make ways-in, explain on the page what differs, or repair it:\n\(Self.firstDifference(old, new))")
  }

  private static func firstDifference(_ old: String, _ new: String) -> String {
    let lines = zip(old.split(separator: "\n"), new.split(separator: "\n")).first { $0 != $1 }
    return lines.map { "page:  \($0)\nfound: \($1)" } ?? ""
  }
}

import Foundation
import NovaTestSupport
import Testing

/// The table in docs/fleet.md has what the tests observe.
@Suite struct OutcomeTableTests {
  private static let page = Checkout.root.appending(path: "docs/fleet.md")

  @Test func thePageHasTheTable() throws {
    let old = try String(contentsOf: Self.page, encoding: .utf8)
    let new = try OutcomeTable.replacing(in: old)
    if ProcessInfo.processInfo.environment["UPDATE_DOCS"] == "1" { try Data(new.utf8).write(to: Self.page) }
    #expect(
      try String(contentsOf: Self.page, encoding: .utf8) == new,
      "the outcomes have changed: run make fleet-table, and read the table of docs/fleet.md")
  }

  /// A cell without a test would be a promise that nothing keeps.
  @Test func eachCellHasATest() throws {
    let folder = Checkout.root.appending(path: "Tests/Apps/NovaFleetTests")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
    let sources = try (files ?? []).filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8).filter { !$0.isWhitespace } }.joined()
    for outcome in FleetOutcome.all {
      let call = "FleetOutcome.expect(.\(outcome.failure), of: .\(outcome.part),"
      #expect(sources.contains(call.filter { $0 != " " }), "no test calls \(call) …)")
    }
    let cells = FleetOutcome.all.map { "\($0.failure) \($0.part)" }
    #expect(Set(cells).count == cells.count, "a cell is listed twice")
  }
}

import NovaContract
import NovaCore
import NovaTesting
import Testing

/// Reports quote servers as plain text.
@Suite struct ReportSafetyTests {
  @Test func reportsHoldNoControls() async {
    let text = "\u{1B}]0;x\u{7}\u{9B}31m\u{7F}\u{202E}\u{2066}\u{200B}\u{2028}\u{2029}\u{E0041}\n| a"
    let report = await ContractCheck.ofMock({ $0.isReadOnly = true }) {
      WrongGateway(
        base: $0, path: "/api/v1/users/search",
        change: WrongGateway.json { json in
          guard case .object(let members) = json else { return json }
          return .object(
            members + [
              .init(name: "total\(text)", value: .string(text)), .init(name: "total_count", value: .string(text)),
            ])
        })
    }.run()
    let shown = report.junit + report.markdown
    #expect(report.differences.contains { $0.found.contains("\u{202E}") || $0.path.contains("u{202e}") })
    let dangers = shown.unicodeScalars.filter { !$0.isSafeToShow && $0 != "\n" }
    #expect(dangers.isEmpty, "\(dangers.map { String($0.value, radix: 16) })")
  }
}

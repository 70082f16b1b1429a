import NovaContract
import NovaTestSupport
import NovaCore
import Testing

@testable import NovaCLI

@Suite struct ProgressBarTests {
  @Test(arguments: [
    (0, "[........................] 0/73"), (73, "[########################] 73/73"), (36, "[###########"),
  ])
  func theBarFills(_ done: Int, _ start: String) {
    let progress = ContractCheck.Progress(rpcs: done, total: 73, requests: 5, breaking: 1, rpc: "graph.GetFollowers")
    let line = ProgressLine(progress).text()
    #expect(line.hasPrefix(start))
    #expect(line.hasSuffix("5 requests, 1 breaking, graph.GetFollowers"))
  }

  @Test func noFractionBreaksTheBar() {
    for (fraction, start) in [
      (-1.0, "[......"), (0.5, "[############............]"), (7.0, "[########################]"),
    ] {
      #expect(ProgressLine(fraction: fraction, words: "").text().hasPrefix(start))
    }
  }

  @Test func writingToADeviceDoesNotReplaceIt() throws {
    try System.replaceFile("/dev/null", with: Array("x".utf8))
    #expect(try SystemIO.readFile("/dev/null", limit: 10, .any)?.isEmpty == true)
  }
}

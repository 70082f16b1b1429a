import NovaContract
import NovaCore
import NovaCoverage
import NovaRegistry
import Testing

@Suite struct CheckCoverageTests {
  @Test func aCheckOfTheMockTriesMostOfTheContract() async throws {
    var report = await ContractCheck.ofMock().run()
    let coverage = try #require(report.coverage)
    #expect(coverage.rpcs.count == RPCRegistry.nova.rpcs.count)
    #expect(coverage.rpcs.filter { !$0.isCalled }.map(\.rpc) == [])
    for kind in ContractCoverage.kinds {
      let share = coverage.share { $0.kind == kind }
      #expect(share.percent > 40, "\(kind): \(coverage.rpcs.map { "\($0.rpc): \($0.missingText)" })")
    }
    #expect(report.json["coverage"] == nil)
    report.showsCoverage = true
    #expect(report.json["coverage"]?["percent"]?.integerValue == coverage.total.percent)
    #expect(report.markdown.contains("## Coverage"))
  }

  @Test func onlyTheChosenRPCsCount() async throws {
    let report = await ContractCheck.ofMock { $0.rpcs = ["graph.GetFollowers"] }.run()
    let coverage = try #require(report.coverage)
    #expect(coverage.rpcs.map(\.rpc) == ["graph.GetFollowers"])
    #expect(coverage.entries.first { $0.point.name == "limit: 0 or more" }?.count ?? 0 > 0)
  }
}

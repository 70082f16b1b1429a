import NovaCore
import NovaRegistry
import NovaTesting
import Testing

@testable import NovaContract

@Suite struct SelectionTests {
  @Test func eachRPCAloneIsCheckedAsInAWholeCheck() async throws {
    let whole = await ContractCheck.ofMock().run()
    for service in Set(RPCRegistry.nova.rpcs.map(\.service)) {
      let rpcs = RPCRegistry.nova.rpcs.map(\.id).filter { $0.hasPrefix("\(service).") }
      let report = await ContractCheck.ofMock { $0.rpcs = Set(rpcs) }.run()
      #expect(report.results.map(\.rpc) == rpcs)
      #expect(report.isPassed && report.checkedCount == rpcs.count, "\(report.summary)")
      #expect(report.notCleanedUp == [])
      for result in report.results {
        let expected = whole.results.first { $0.rpc == result.rpc }?.requests ?? []
        #expect(Set(result.requests).isSubset(of: expected), "\(result.rpc)")
        #expect(result.requests.count * 2 >= expected.count, "\(result.rpc): \(result.requests) of \(expected)")
      }
      if service == "announcements" { #expect(report.leftBehind == []) }
    }
  }

  @Test func othersAreNotReported() async {
    let report = await ContractCheck.ofMock({ $0.rpcs = ["social.GetLikeCount"] }) {
      WrongGateway(base: $0, path: "/api/v1/content/post/create") { _, response in
        var response = response
        response.status = 201
        return response
      }
    }.run()
    #expect(report.results.map(\.rpc) == ["social.GetLikeCount"])
    #expect(report.isPassed && report.differences == [])
  }
}

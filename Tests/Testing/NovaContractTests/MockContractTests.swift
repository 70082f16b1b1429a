import NovaContract
import NovaCore
import NovaMock
import NovaTesting
import Testing

@Suite struct MockContractTests {
  @Test(arguments: [false, true]) func mockMeetsTheContract(isReadOnly: Bool) async {
    let report = await ContractCheck.ofMock {
      $0.isReadOnly = isReadOnly
      $0.checksPrivacy = true
    }.run()
    #expect(report.differences.isEmpty, "\(report.differences.map(\.line))")
    #expect(report.isPassed)
    let unchecked = report.results.filter { $0.unchecked != nil }
    // The mock's sample user has captured nothing.
    #expect(
      unchecked.allSatisfy { isReadOnly && (!$0.isRead || $0.rpc == "capture.GetSomething") },
      "unchecked: \(unchecked.map(\.rpc)); a new RPC needs a request in Sources/Testing/NovaContract/Survey")
    #expect(report.notCleanedUp.isEmpty)
    #expect(report.leftBehind.count == (isReadOnly ? 0 : 8))
  }
}

import NovaContract
import NovaSDK
import NovaTestingTraits
import Testing

/// The contract: every RPC of a gateway, with valid and invalid requests. On the mock, a few RPCs.
@Suite(.freshBackend) struct Contract {
  @Test(.timeLimit(.minutes(10))) func theGatewayKeepsTheContract() async throws {
    let target = try Target.make()
    var options = ContractCheck.Options()
    options.isReadOnly = !Target.allowsWrites
    if Target.isMock {
      options.requestsPerSecond = nil
      options.rpcs = ["graph.GetFollowers", "graph.CreateFollow", "user.GetUserProfile", "content.GetPost"]
    }
    let check = ContractCheck(
      transport: target.transport, target: target.name, tokens: target.configuration.token.map { StoredToken($0) },
      options: options
    ) { target.configuration.baseURL(for: $0) }
    let report = await check.run()
    for difference in report.differences where difference.grade == .breaking {
      Issue.record(
        "\(difference.rpc), \(difference.request): expected \(difference.expected), found \(difference.found)")
    }
    #expect(report.isPassed, "\(report.summary)")
    #expect(report.checkedCount > 0)
  }
}

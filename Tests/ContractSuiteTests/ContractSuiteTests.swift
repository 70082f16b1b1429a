import NovaCore
import NovaMock
import NovaRegistry
import NovaServer
import NovaTestSupport
import NovaTesting
import Testing

@Suite struct ContractSuiteTests {
  @Test func theMockIsAsTheContractSays() async throws {
    let run = await ContractSuite(client: try .mouth(MockTransport(MockBackend()))).run("mock")
    #expect(run.results.map(\.scenario) == ContractScenario.all.map(\.name))
    #expect(run.problems.isEmpty, "\(run.problems.joined(separator: "\n"))")
  }
}

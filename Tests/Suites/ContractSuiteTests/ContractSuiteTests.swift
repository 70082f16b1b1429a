import NovaContract
import NovaCore
import NovaMock
import NovaRegistry
import NovaTestSupport
import Testing

@Suite struct ContractSuiteTests {
  @Test func mockMeetsTheContract() async throws {
    let run = try await Backend.mock.value.run
    #expect(run.results.map(\.scenario) == ContractScenario.all.map(\.name))
    #expect(run.problems.isEmpty, "\(run.problems.joined(separator: "\n"))")
    for result in run.results { #expect(result.observations.count >= 2, "\(result.scenario)") }
  }

  @Test func novaServeMatchesTheMock() async throws {
    let run = try await Backend.serve()
    #expect(run.problems.isEmpty, "\(run.problems.joined(separator: "\n"))")
    let comparison = ContractComparison(try await Backend.mock.value.run, run, strictness: .exact)
    #expect(comparison.differences.isEmpty, "\(comparison)")
  }

  @Test func gatewayMatchesTheMock() async throws {
    let (run, strictness) = try await Backend.url()
    #expect(run.problems.isEmpty, "\(run.problems.joined(separator: "\n"))")
    let comparison = ContractComparison(try await Backend.mock.value.run, run, strictness: strictness)
    #expect(comparison.differences.isEmpty, "\(comparison)")
  }

  @Test func scenariosRunInAnyOrderOnOneServer() async throws {
    let mock = try await Backend.mock.value
    let client = try APIClient.backend(mock.transport)
    let reversed = ContractSuite(client: client, scenarios: ContractScenario.all.reversed())
    let again = await reversed.run("the same again, one by one, from the last", concurrency: 1)
    let comparison = ContractComparison(mock.run, again, strictness: .exact)
    #expect(comparison.differences.isEmpty, "\(comparison)")
  }

  /// A backend may find meanings at creation, or between any two calls.
  @Test(arguments: [MockMeanings.created, .later(seconds: 1)]) func meaningsMayBeFound(_ meanings: MockMeanings)
    async throws
  {
    let time = Locked<Int64>(1_750_000_000)
    // Time passes with each call.
    let backend = MockBackend(meanings: meanings) {
      time.withLock { now in
        now += 1
        return now
      }
    }
    let scenarios = ContractScenario.all.filter { $0.name.hasPrefix("capture.") }
    let suite = ContractSuite(client: try .backend(MockTransport(backend)), scenarios: scenarios)
    let run = await suite.run("mock with meanings")
    #expect(run.results.count == 2 && run.problems.isEmpty, "\(run.problems.joined(separator: "\n"))")
  }

  @Test func postsAreDeletedAgain() async throws {
    let calls = try await Backend.mock.value.calls
    #expect(calls.successes("content.CreatePost") > 103)
    #expect(calls.successes("content.CreatePost") == calls.successes("content.DeletePost"))
  }

  @Test func everyRPCIsCalled() async throws {
    let called = try await Backend.mock.value.calls.rpcs
    let missing = Set(RPCRegistry.nova.rpcs.map(\.id)).subtracting(called)
    #expect(
      missing.isEmpty,
      "no scenario calls \(missing.sorted()): add a step to one in Sources/Testing/NovaContract/Scenarios")
  }

  @Test func readOnlyScenariosChangeNothing() async throws {
    let calls = RecordedCalls()
    let suite = ContractSuite(client: try .backend(MockTransport(MockBackend()), middlewares: [calls])).readOnly
    let run = await suite.run("mock")
    #expect(run.results.count == ContractScenario.all.filter { $0.effect == .readOnly }.count)
    #expect(run.problems.isEmpty)
    #expect(calls.rpcs.allSatisfy { RPCRegistry.nova.rpc(named: $0)?.effect == .noSideEffects })
  }

  @Test func everyScenarioHasAUniqueNameAndASummary() {
    #expect(Set(ContractScenario.all.map(\.name)).count == ContractScenario.all.count)
    #expect(ContractScenario.all.allSatisfy { !$0.summary.isEmpty })
  }

  @Test func everyScenarioFailsWithoutAServer() async throws {
    let transport = CannedTransport { _ in throw TransportError(.connectionRefused, "nobody", requestMayHaveLeft: false)
    }
    let run = await ContractSuite(client: try .backend(transport)).run("nobody")
    #expect(run.results.count == ContractScenario.all.count)
    #expect(run.results.allSatisfy { $0.observations.contains { $0.problem != nil } })
  }
}

/// Answers with what a closure says.
struct CannedTransport: HTTPTransport {
  let answer: @Sendable (HTTPRequest) throws -> HTTPResponse

  func send(_ request: HTTPRequest) async throws -> HTTPResponse { try answer(request) }
}

/// Which RPCs were called, and how often each went well.
final class RecordedCalls: Middleware {
  private let counts = Locked<[String: Int]>([:])

  var rpcs: [String] { counts.withLock { Array($0.keys) } }

  func successes(_ rpc: String) -> Int { counts.withLock { $0[rpc] ?? 0 } }

  func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    let response = try await next(request)
    // Bytes are no RPC.
    if request.method != .put {
      counts.withLock { $0[context.rpc.id, default: 0] += response.status < 300 ? 1 : 0 }
    }
    return response
  }
}

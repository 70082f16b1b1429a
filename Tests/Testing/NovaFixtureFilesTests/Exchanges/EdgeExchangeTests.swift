import NovaContract
import NovaCore
import NovaFixtureFiles
import NovaFixtures
import NovaRegistry
import Testing

@Suite struct EdgeExchangeTests {
  @Test(arguments: EdgeCase.all.map(\.name)) func theSDKReadsEachAsItWasMeant(_ name: String) throws {
    let edge = try #require(EdgeCase.named(name))
    let exchanges = try FixtureExchange.all(of: edge)
    #expect(
      exchanges.count == edge.answers.count && Set(exchanges.map { "\($0.rpc) \($0.name)" }).count == exchanges.count)
    for (exchange, answer) in zip(exchanges, edge.answers) {
      let read = try HTTPTranscoder.response(
        answer.rpc.responseType, from: exchange.response.body.inMemory, answer.rpc.http)
      #expect(try read.jsonUTF8(.response) == answer.response.jsonUTF8(.response), "\(exchange.rpc) \(exchange.name)")
    }
  }

  /// Only edge cases with a reason are breaking.
  @Test(arguments: EdgeCase.all.map(\.name)) func breakingReasonsMatchTheContractCheck(_ name: String) throws {
    let edge = try #require(EdgeCase.named(name))
    for (exchange, answer) in zip(try FixtureExchange.all(of: edge), edge.answers) {
      let found = ContractCheck.differences(
        in: exchange.response, of: answer.rpc, to: answer.request, named: exchange.name
      ).filter { $0.grade == .breaking }
      #expect(found.isEmpty == (answer.breakingReason == nil), "\(exchange.rpc) \(exchange.name): \(found)")
    }
  }

  /// A server of stubs can have them all, beside a world.
  @Test func noTwoAnswersAreToTheSameRequest() async throws {
    let edges = try FixtureExchange.sharedEdges()
    let requests = edges.map {
      "\($0.request.method) \($0.request.url.text) \(String(decoding: $0.request.body.inMemory, as: UTF8.self))"
    }
    #expect(Set(requests).count == requests.count)
    for users in [1, 20] {
      let world = try await FixtureExchange.shared(users: users)
      #expect(Set(world.map(\.request)).isDisjoint(with: edges.map(\.request)), "\(users) users")
    }
  }

  /// What clients ask for would be accepted by a gateway.
  @Test(arguments: EdgeCase.all.map(\.name)) func requestsKeepTheRules(_ name: String) throws {
    for answer in try #require(EdgeCase.named(name)).answers {
      let violation = RequestRules.violation(in: answer.request)
      #expect(violation == nil, "\(answer.rpc.id): \(violation.map { "\($0.0.name) \($0.1)" } ?? "")")
    }
  }
}

import NovaAuth
import NovaCore
import NovaGraph
import NovaTestSupport
import NovaTesting
import Testing

@Suite struct FakeRPCTests {
  private typealias Outcome = FakeOutcome<GetFollowersRequest, GetFollowersResponse>

  private let graph = FakeGraphService()
  private let request = GetFollowersRequest(userId: "ann")

  private func page(_ count: Int) -> GetFollowersResponse { GetFollowersResponse(totalCount: count) }

  /// What the next calls give: a count, or a code.
  private func results(_ count: Int) async -> [String] {
    var results: [String] = []
    for _ in 0..<count {
      do {
        results.append("\(try await graph.getFollowers(request).totalCount)")
      } catch {
        results.append((error as? APIError)?.code.rawValue ?? "\(error)")
      }
    }
    return results
  }

  @Test func latestScriptTakesPrecedence() async {
    #expect(await results(1) == ["unimplemented"])
    graph.getFollowers.returns(page(1))
    #expect(await results(2) == ["1", "1"])
    graph.getFollowers.fails(APIError(.unavailable, "down"))
    #expect(await results(2) == ["unavailable", "unavailable"])
    graph.getFollowers.runs { request in GetFollowersResponse(totalCount: request.userId.count) }
    #expect(await results(2) == ["3", "3"])
    graph.getFollowers.plays([.returns(page(1)), .fails(APIError(.notFound, "gone")), .runs { _ in page(2) }])
    #expect(await results(4) == ["1", "notFound", "2", "unimplemented"])
    graph.getFollowers.plays([.fails(APIError(.timeout, "slow"))], then: .returns(page(5)))
    #expect(await results(3) == ["timeout", "5", "5"])
    #expect(graph.getFollowers.requests == Array(repeating: request, count: 14))
  }

  @Test func recordsTheOptionsOfEachCall() async throws {
    graph.getFollowers.returns(page(1))
    // As code under test does it, which takes any implementation.
    let service: any GraphServiceProtocol = graph
    _ = try await service.getFollowers(request)
    let quick = service.with { $0.timeout = .seconds(2) }
    _ = try await quick.getFollowers(request)
    _ = try await quick.with { $0.requestID = "r" }.getFollowers(userId: "bob")
    #expect(graph.getFollowers.options.map(\.timeout) == [nil, .seconds(2), .seconds(2)])
    #expect(graph.getFollowers.options.map(\.requestID) == [nil, nil, "r"])
    #expect(graph.calls.map(\.options.timeout) == [nil, .seconds(2), .seconds(2)])
    // The copies share the responses and the log of the original.
    graph.getFollowers.returns(page(7))
    let later = try await quick.getFollowers(request)
    #expect(later.totalCount == 7 && graph.getFollowers.requests.count == 4)
    let error = await apiError { try await quick.isMuted(IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect(error?.code == .unimplemented)
    #expect(throws: UnmetExpectations.self) { try graph.verify() }
  }

  @Test func implementationsWithoutOptionsStayAsTheyAre() async throws {
    struct OneFollower: GraphServiceProtocol {
      func getFollowers(_ request: GetFollowersRequest) async throws -> GetFollowersResponse {
        GetFollowersResponse(userIds: ["ada"], totalCount: 1)
      }
    }
    let service: any GraphServiceProtocol = OneFollower()
    let page = try await service.with { $0.timeout = .seconds(2) }.getFollowers(userId: "ann")
    #expect(page.userIds == ["ada"])
  }

  @Test func namesTheMissingScript() async throws {
    let missing = await apiError { try await graph.getFollowers(request) }
    #expect(
      missing?.description == """
        graph.GetFollowers: no outcome is scripted: call getFollowers.returns(…), .fails(…), \
        .runs { … } or .plays([…], then: …) on the fake before this call
        """)
    graph.getFollowers.plays([.returns(page(1)), .returns(page(2))])
    _ = await results(2)
    let usedUp = await apiError { try await graph.getFollowers(request) }
    #expect(usedUp?.message.hasPrefix("all 2 scripted outcomes are used: ") == true, "\(String(describing: usedUp))")
    #expect(throws: UnmetExpectations.self) { try graph.verify() }
  }

  @Test func errorsNameTheirRPC() async {
    graph.getFollowers.plays([
      .fails(APIError(.unavailable, "down")), .fails(APIError(.unavailable, "down", rpc: "other.Call")),
    ])
    #expect(await apiError { try await graph.getFollowers(request) }?.rpc == "graph.GetFollowers")
    #expect(await apiError { try await graph.getFollowers(request) }?.rpc == "other.Call")
  }

  @Test func aCancelledCallFailsAsItDoesOnAClient() async {
    graph.getFollowers.returns(page(1))
    let call = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await apiError { try await graph.getFollowers(request) }
    }
    let error = await call.value
    #expect(error?.code == .cancelled)
    #expect(error?.rpc == "graph.GetFollowers")
    #expect(graph.getFollowers.requests.count == 1)
  }

  /// Whoever comes as the n-th gets the n-th outcome.
  @Test func concurrentCallsGetTheOutcomesInTheOrderOfTheLog() async throws {
    let count = 200
    graph.getFollowers.plays((0..<count).map { Outcome.returns(page($0)) })
    let answers = try await withThrowingTaskGroup(of: (String, Int).self) { group in
      for index in 0..<count {
        group.addTask {
          let id = "user-\(index)"
          return (id, try await graph.getFollowers(GetFollowersRequest(userId: id)).totalCount)
        }
      }
      return try await group.reduce(into: [String: Int]()) { $0[$1.0] = $1.1 }
    }
    #expect(graph.getFollowers.requests.map { answers[$0.userId] } == Array(0..<count))
  }

  @Test func secretsDoNotShow() async throws {
    let auth = FakeAuthService()
    _ = await apiError { try await auth.login(email: "ann@example.com", password: Canary.secret) }
    let call = try #require(auth.calls.first)
    let said = #expect(throws: UnmetExpectations.self) { try auth.verify() }
    var dumped = ""
    dump(call, to: &dumped)
    for text in ["\(call)", dumped, "\(try #require(said))"] {
      #expect(text.contains("ann@example.com"), "\(text.count) characters")
      #expect(!text.contains(Canary.secret), "the secret shows")
    }
    // The test itself may look at everything.
    #expect(auth.login.requests.first?.password == Canary.secret, "another password")
  }
}

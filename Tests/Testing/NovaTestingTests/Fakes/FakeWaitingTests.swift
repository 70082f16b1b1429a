import NovaCore
import NovaGraph
import NovaSocial
import NovaTesting
import Testing

@Suite struct FakeWaitingTests {
  private let graph = FakeGraphService()

  private func followers(_ id: String) async throws -> Int {
    try await graph.getFollowers(GetFollowersRequest(userId: id)).totalCount
  }

  /// The test controls the order of responses without sleeping.
  @Test func aGateHoldsAnAnswerBack() async throws {
    let gate = FakeGate()
    graph.getFollowers.plays([
      .returns(GetFollowersResponse(totalCount: 1)).after(gate), .returns(GetFollowersResponse(totalCount: 2)),
    ])
    async let first = followers("slow")
    #expect(try await graph.getFollowers.waitForCalls(1).map(\.userId) == ["slow"])
    #expect(try await followers("fast") == 2)
    gate.open()
    #expect(try await first == 1)
    // It stays open.
    try await gate.pass()
  }

  @Test func waitsForTheNthCall() async throws {
    graph.getFollowers.returns(GetFollowersResponse())
    async let three = graph.getFollowers.waitForCalls(3)
    async let four = graph.waitForCalls(4)
    for id in ["a", "b", "c"] { _ = try await followers(id) }
    _ = try? await graph.isMuted(IsMutedRequest())
    #expect(try await three.map(\.userId).prefix(3) == ["a", "b", "c"])
    #expect(try await four.map(\.rpc) == Array(repeating: "graph.GetFollowers", count: 3) + ["graph.IsMuted"])
    // What has come already is not waited for.
    #expect(try await graph.isMuted.waitForCalls().count == 1)
    #expect(try await graph.isBlocked.waitForCalls(0).isEmpty)
  }

  @Test(arguments: [true, false]) func aCancelledWaitEnds(_ isCancelledFirst: Bool) async {
    let gate = FakeGate()
    let waiting = [
      Task { try await graph.waitForCalls(1).count }, Task { try await graph.isMuted.waitForCalls(1).count },
      Task {
        try await gate.pass(); return 0
      },
    ]
    if !isCancelledFirst { await Task.yield() }
    for task in waiting {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func waitingCallsCanBeCancelled() async throws {
    graph.getFollowers.plays([.returns(GetFollowersResponse()).after(FakeGate())])
    let call = Task { try await followers("a") }
    try await graph.waitForCalls(1)
    call.cancel()
    await #expect { try await call.value } throws: { ($0 as? APIError)?.code == .cancelled }
  }

  @Test func fakesWithOneLogHaveOneOrder() async throws {
    let log = FakeLog()
    let (graph, social) = (FakeGraphService(log: log), FakeSocialService(log: log))
    graph.createFollow.returns(CreateFollowResponse(success: true))
    social.createLike.returns(CreateLikeResponse(success: true, likeCount: 3))
    try await graph.followUser(followerId: "ann", followeeId: "bob")
    #expect(try await social.createLike(postId: "p", userId: "ann") == 3)
    try await graph.followUser(followerId: "ann", followeeId: "cid")
    #expect(log.calls.map(\.rpc) == ["graph.CreateFollow", "social.CreateLike", "graph.CreateFollow"])
    #expect(graph.calls.map(\.description) == social.calls.map(\.description))
    #expect(graph.createFollow.requests.map(\.followeeId) == ["bob", "cid"])
    try log.verify()
  }
}

import NovaAuth
import NovaCore
import NovaGraph
import NovaMock
import NovaSocial
import NovaTesting
import Testing

/// Stubs in process.
@Suite struct StubTests {
  private let backend = MockBackend(dataSet: .empty, requiresTokens: true, now: { 1_764_585_000 })

  private func respond(_ path: String, _ body: String) -> (status: Int, body: String) {
    let response = backend.respond(
      to: HTTPRequest(method: .post, url: HTTPURL(received: path), body: Array(body.utf8)))
    return (response.status, String(decoding: response.body.inMemory, as: UTF8.self))
  }

  private func followers(_ user: String, limit: Int = 0) -> (status: Int, body: String) {
    respond("/api/v1/graph/followers", #"{"user_id":"\#(user)","limit":\#(limit)}"#)
  }

  private func stub(_ request: GetFollowersRequest?, _ user: String) throws -> MockStub {
    try .call(GraphRPC.getFollowers, request, answer: GetFollowersResponse(userIds: [user]))
  }

  @Test func theLastMatchingStubResponds() throws {
    backend.add(try stub(nil, "any"))
    backend.add(try stub(GetFollowersRequest(userId: "ann"), "anns"))
    backend.add(try stub(GetFollowersRequest(userId: "ann", limit: 5), "annsFive"))
    for (user, limit, expected) in [("bob", 5, "any"), ("ann", 0, "anns"), ("ann", 9, "anns"), ("ann", 5, "annsFive")] {
      let response = followers(user, limit: limit)
      #expect(response.status == 200 && response.body.contains("\"\(expected)\""), "\(user) \(limit): \(response)")
    }
    #expect(backend.stubs.map(\.hits) == [1, 2, 1] && backend.stubs.map(\.id) == ["stub-1", "stub-2", "stub-3"])
    #expect(backend.recentRequests().map(\.stub) == ["stub-1", "stub-2", "stub-2", "stub-3"])
  }

  @Test func aStubbedCallIsNotExecuted() throws {
    backend.add(
      try .call(GraphRPC.createFollow, answer: CreateFollowResponse(success: true), headers: ["X-Stub": "yes"]))
    let response = respond("/api/v1/graph/follow", #"{"follower_id":"a","followee_id":"b"}"#)
    #expect(response.status == 200 && backend.counts.follows == 0)
    #expect(backend.recentRequests().last?.responseHeaders?["X-Stub"] == "yes")
  }

  @Test func errorsHaveTheGatewaysFormat() throws {
    backend.add(
      try .call(GraphRPC.getFollowers, status: 429, message: "slow down", headers: ["Retry-After": "7"]))
    #expect(followers("ann") == (429, #"{"code":8,"message":"slow down","details":[]}"#))
    #expect(backend.recentRequests().last?.responseHeaders?["Retry-After"] == "7")
  }

  @Test func requestsThatTheContractRefusesMatchNoStub() throws {
    backend.add(try stub(nil, "any"))
    // The caller is checked before the message.
    #expect(respond("/api/v1/graph/followers", #"{"user_id":5}"#).status == 401)
    #expect(backend.stubs.map(\.hits) == [0])
  }

  @Test func stubsAreRemovedAndResetRemovesThem() throws {
    let first = backend.add(try stub(nil, "one"))
    backend.add(try stub(nil, "two"))
    #expect(backend.removeStub(first.id) && !backend.removeStub(first.id))
    #expect(backend.stubs.map(\.id) == ["stub-2"])
    backend.reset()
    #expect(backend.stubs.isEmpty && followers("ann").status == 401)
    backend.add(try stub(nil, "three"))
    #expect(backend.stubs.map(\.id) == ["stub-3"])
  }

  @Test func delaysAndFaultsApply() async throws {
    let clock = ManualClock(autoAdvances: true)
    backend.add(
      try .call(GraphRPC.getFollowers, answer: GetFollowersResponse(userIds: ["x"]), delay: .milliseconds(300)))
    let request = HTTPRequest(
      method: .post, url: "http://localhost/api/v1/graph/followers", headers: ["X-Request-ID": "r"],
      body: Array(#"{"user_id":"a"}"#.utf8))
    let response = try await backend.answer(request, clock: clock)
    #expect(response.headers["X-Request-ID"] == "r" && clock.elapsed == .milliseconds(300))
    backend.faults = try Faults(["latency 1s", "503x1"])
    #expect(try await backend.answer(request, clock: clock).status == 503)
    #expect(backend.stubs.map(\.hits) == [1])
    #expect(try await backend.answer(request, clock: clock).status == 200)
    #expect(clock.elapsed == .milliseconds(2600))
  }

  @Test(arguments: [[], ["latency 1s"]]) func callsThatEndDuringADelayAreLogged(faults: [String]) async throws {
    let clock = ManualClock(autoAdvances: true)
    backend.add(try .call(GraphRPC.getFollowers, status: 503, delay: .seconds(9)))
    backend.faults = try Faults(faults)
    let request = HTTPRequest(
      method: .post, url: "http://localhost/api/v1/graph/followers", body: Array(#"{"user_id":"a"}"#.utf8),
      limits: TransferLimits(idleTimeout: .seconds(2), totalTimeout: .seconds(2)))
    await #expect(throws: TransportError.self) { try await backend.answer(request, clock: clock) }
    let record = try #require(backend.recentRequests().last)
    #expect(record.status == nil && record.stub == "stub-1" && record.fault == faults.first)
  }

  @Test func clientsGetTheAnswer() async throws {
    backend.add(try stub(GetFollowersRequest(userId: "ann"), "bob"))
    let client = APIClient(configuration: .builtIn, transport: MockTransport(backend))
    #expect(try await GraphService(client: client).getFollowers(userId: "ann").userIds == ["bob"])
  }
}

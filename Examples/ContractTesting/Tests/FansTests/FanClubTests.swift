import Fans
import Foundation
import NovaSDK
import NovaTesting
import NovaTestingTraits
import Testing

/// Against a whole backend in memory, another one for each test.
@Suite(.freshBackend) struct OnTheMock {
  @Test(arguments: ["ann", "bob"]) func everyoneIsTheNextFan(_ fan: String) async throws {
    let club = FanClub(star: "mock-user-id", on: .mock(try .current))
    // 3,021 were there before; nobody sees the other case's fan.
    #expect(try await club.join(fan) == 3_022)
    #expect(try await club.newestFans(1) == [fan])
  }
}

/// On a fake of the one service that is needed.
@Suite struct OnAFake {
  @Test func whoIsBlockedIsNoFan() async throws {
    let graph = FakeGraphService()
    graph.createFollow.plays([
      .fails(APIError(.permissionDenied, "blocked")), .returns(CreateFollowResponse(success: true)),
    ])
    let invitations = Invitations(of: "star", on: graph)
    #expect(try await invitations.accept("ann") == false)
    #expect(try await invitations.accept("bob"))
    #expect(graph.createFollow.requests.map(\.followerId) == ["ann", "bob"])
    try graph.verify()
  }
}

/// Against answers written down here, in their order.
@Suite struct OnStubs {
  private func client(_ transport: StubTransport, clock: ManualClock = ManualClock(autoAdvances: true)) -> NovaClient {
    NovaClient(client: APIClient(configuration: .builtIn, transport: transport) { $0.clock = clock })
  }

  @Test func waitsAsLongAsTheGatewayAsks() async throws {
    let follow = CreateFollowRequest(followerId: "ann", followeeId: "star")
    let clock = ManualClock(autoAdvances: true)
    let transport = StubTransport([
      .call(GraphRPC.createFollow, follow, status: 503, headers: ["Retry-After": "20"]),
      .call(GraphRPC.createFollow, follow, answer: CreateFollowResponse(success: true)),
      .call(GraphRPC.getFollowers, answer: GetFollowersResponse(userIds: ["ann"], totalCount: 1)),
    ])
    #expect(try await FanClub(star: "star", on: client(transport, clock: clock)).join("ann") == 1)
    #expect(clock.elapsed == .seconds(20))
    try transport.verify()
  }

  @Test func aStarThatNobodyKnowsHasNoFans() async throws {
    let fans = try await StubTransport.verifying([
      .call(GraphRPC.getFollowers, status: 404, code: "USER_NOT_FOUND")
    ]) { transport in
      try await FanClub(star: "star", on: client(transport)).newestFans(3)
    }
    #expect(fans == [])
  }

  @Test func messagesAreComparedFieldByField() {
    expectEqual(
      GetFollowersResponse(userIds: ["ann"], totalCount: 1), json: #"{"userIds":["ann"],"total_count":"1"}"#)
  }
}

/// Against what a backend once said. RECORD=1 swift test records it anew, here from the mock; give the recorder a client
/// for staging, and it is from there.
@Suite(.serialized) struct OnACassette {
  @Test func joins() async throws {
    if ProcessInfo.processInfo.environment["RECORD"] == "1" { try await record() }
    let fans = try await ReplayTransport.replaying(try Cassette(path: Self.path)) { transport in
      try await Self.story(NovaClient(configuration: .builtIn, transport: transport))
    }
    #expect(fans == ["ann", "user-1492"])
  }

  @Test func theCassetteIsAPactToo() throws {
    let pact = try Cassette(path: Self.path).pact(consumer: "FanClub")
    #expect(try JSONValue(jsonUTF8: pact)["metadata"]?["pactSpecification"]?["version"] == .string("4.0"))
  }

  private static func story(_ nova: NovaClient) async throws -> [String] {
    let club = FanClub(star: "mock-user-id", on: nova)
    _ = try await club.join("ann")
    return try await club.newestFans(2)
  }

  private func record() async throws {
    let recorder = try Recorder(path: Self.path, replacing: true, clock: ManualClock())
    let transport = recorder.recording(MockTransport(.seeded(1)))
    _ = try await Self.story(NovaClient(configuration: .builtIn, transport: transport))
    try recorder.finish()
  }

  // Beside this file, so that a recording can be committed.
  private static let path = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Cassettes/join.jsonl").path
}

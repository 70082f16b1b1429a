import NovaCapture
import NovaCore
import NovaGraph
import NovaTestSupport
import NovaTesting
import Testing

@Suite struct StubTransportTests {
  private let follow = CreateFollowRequest(followerId: "a", followeeId: "b")

  @Test func answersInOrder() async throws {
    let clock = ManualClock(autoAdvances: true)
    try await StubTransport.verifying([
      .call(GraphRPC.createFollow, follow, status: 503, headers: ["Retry-After": "7"]),
      .call(GraphRPC.createFollow, follow, failure: TransportError(.connectionLost, "gone", requestMayHaveLeft: true)),
      .call(GraphRPC.createFollow, answer: CreateFollowResponse(success: true)),
      .call(GraphRPC.isFollowing, status: 404, code: "USER_NOT_FOUND", message: "who?"),
    ]) { transport in
      let client = try APIClient.test(transport, resilience: Resilience(), clock: clock)
      #expect(try await client.call(GraphRPC.createFollow, follow).success)
      #expect(clock.elapsed >= .seconds(7))
      let error = await apiError { try await client.call(GraphRPC.isFollowing, IsFollowingRequest()) }
      #expect(error?.code == .invalidArgument || error?.server?.code == "USER_NOT_FOUND")
      _ = await apiError {
        try await client.call(GraphRPC.isFollowing, IsFollowingRequest(followerId: "a", followeeId: "b"))
      }
      #expect(transport.requests.count == 4)
    }
  }

  @Test func respondsAsTheBindingSpecifies() async throws {
    let something = Something(id: 5, userId: "a", content: "A walk", contentType: "text")
    try await StubTransport.verifying([
      .call(CaptureRPC.createSomething, answer: something),
      .call(CaptureRPC.getSomething, GetSomethingRequest(id: 5), answer: something),
      .call(
        CaptureRPC.listSomethings, ListSomethingsRequest(limit: 5),
        answer: ListSomethingsResponse(somethings: [something])),
      .call(CaptureRPC.deleteSomething, answer: DeleteSomethingResponse()),
    ]) { transport in
      let client = try APIClient.test(transport)
      let created = try await client.respond(
        CaptureRPC.createSomething, CreateSomethingRequest(content: "A walk", contentType: "text"))
      #expect(created.value == something)
      #expect(created.status == 201)
      #expect(try await client.call(CaptureRPC.getSomething, GetSomethingRequest(id: 5)) == something)
      #expect(
        try await client.call(CaptureRPC.listSomethings, ListSomethingsRequest(limit: 5)).somethings == [something])
      _ = try await client.call(CaptureRPC.deleteSomething, DeleteSomethingRequest(id: 5))
    }
  }

  @Test func failsOnWhatIsNotNext() async throws {
    let transport = StubTransport([.call(GraphRPC.createFollow, follow, answer: CreateFollowResponse(success: true))])
    let client = try APIClient.test(transport, resilience: Resilience())
    let other = CreateFollowRequest(followerId: "a", followeeId: "c")
    let error = await apiError { try await client.call(GraphRPC.createFollow, other) }
    #expect(error?.transport?.kind == .unexpectedRequest)
    #expect(error?.attempts.count == 1)
    _ = await apiError { try await client.call(GraphRPC.getFollowers, GetFollowersRequest(userId: "a")) }
    #expect(try await client.call(GraphRPC.createFollow, follow).success)
    _ = await apiError { try await client.call(GraphRPC.createFollow, follow) }
    let unmet = #expect(throws: UnmetExpectations.self) { try transport.verify() }
    #expect(
      unmet?.unexpected == [
        """
        unexpected request POST /api/v1/graph/follow; the next expected request: #1 graph.CreateFollow
          request.followee_id: expected "b", got "c"
        """,
        """
        unexpected request POST /api/v1/graph/followers; the next expected request: #1 graph.CreateFollow
          rpc: expected "graph.CreateFollow", got "graph.GetFollowers"
        """,
        "unexpected request POST /api/v1/graph/follow: all 1 stubs are used",
      ])
    #expect(unmet?.unused == [])
  }

  @MainActor @Test func verifiesOnTheMainActor() async throws {
    var statuses: [Int] = []
    try await StubTransport.verifying([.request(.put, "/bytes") { _ in HTTPResponse(status: 204) }]) { transport in
      statuses.append(try await transport.send(HTTPRequest(method: .put, url: "http://localhost/bytes")).status)
    }
    #expect(statuses == [204])
  }

  @Test func failsOnWhatIsUnused() async throws {
    let stubs: [Stub] = [
      .request(.put, "/bytes") { _ in HTTPResponse(status: 200) },
      .call(GraphRPC.createFollow, answer: CreateFollowResponse()),
    ]
    let unmet = await #expect(throws: UnmetExpectations.self) {
      try await StubTransport.verifying(stubs) { transport in
        _ = try await transport.send(HTTPRequest(method: .put, url: "http://localhost/bytes?x=1"))
      }
    }
    #expect(unmet?.description == "not requested: #2 graph.CreateFollow")
  }
}

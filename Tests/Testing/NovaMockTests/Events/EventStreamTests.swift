import NovaAuth
import NovaCore
import NovaEvents
import NovaGraph
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@Suite(.hangLimit) struct EventStreamTests {
  private let world = EventWorld()

  @Test func aStreamBeginsWithThePositionAndHasLaterEvents() async throws {
    try world.follow("ann", "before")
    let position = world.backend.eventPosition
    let response = try await world.response(["user:ann"])
    #expect(response.status == 200)
    #expect(response.headers["Content-Type"] == "text/event-stream")
    let stream = EventStream(response)
    #expect(try await stream.next() == .retry(.seconds(1)))
    #expect(try await stream.next() == .id(position))
    try world.follow("other", "someone")
    try world.follow("ann", "bob")
    let event = try #require(try await stream.event())
    #expect(event.type == "follow.created" && event.id == world.backend.eventPosition)
    let decoded = try Event(jsonUTF8: Array(event.data.utf8))
    #expect(decoded.subjectId == "bob" && decoded.id == event.id)
  }

  @Test func aStreamResumesBehindItsLastEvent() async throws {
    let start = world.backend.eventPosition
    for number in 1...600 { try world.follow("ann", "user-\(number)") }
    var ids: [String] = []
    for event in try await world.stream(["user:ann"], after: start).events(600) { ids.append(event.id) }
    #expect(ids == world.backend.recentEvents.map(\.id))
    let rest = try await world.stream(["user:ann"], after: ids[299]).events(300)
    #expect(rest.map(\.id) == Array(ids[300...]))
  }

  @Test func severalTopicsAreMergedInOrderAndWithoutRepetition() async throws {
    let start = world.backend.eventPosition
    for number in 1...400 {
      try world.follow("ann", "user-\(number)")
      if number % 3 == 0 { try world.follow("bob", "user-\(number)") }
    }
    try world.follow("ann", "bob")
    let count = world.backend.recentEvents.count
    let events = try await world.stream(["user:ann", "user:bob", "user:user-3"], after: start).events(count)
    #expect(events.map(\.id) == world.backend.recentEvents.map(\.id))
  }

  @Test(arguments: ["gone:1", "nonsense", "", "future"])
  func anUnknownPositionIsReset(_ text: String) async throws {
    try world.follow("ann", "bob")
    let position = world.backend.eventPosition
    let after = text == "future" ? "\(position)0" : text
    let stream = try await world.stream(["user:ann"], after: after)
    guard !after.isEmpty else { return }
    let reset = try #require(try await stream.event())
    #expect(reset == ServerSentEvent(type: "reset", data: #"{"id":"\#(position)"}"#, id: position))
    try world.follow("ann", "eve")
    #expect(try await stream.event()?.type == "follow.created")
  }

  @Test func anEpochThatBeginsEndsTheStream() async throws {
    for begin in [
      { world.backend.reset() }, { world.backend.beginEventEpoch() },
      { world.backend.restore(world.backend.snapshot()) },
    ] {
      let position = world.backend.eventPosition
      let stream = try await world.stream(["user:ann"])
      begin()
      #expect(try await stream.event() == ServerSentEvent(type: "end", data: #"{"reason":"restart"}"#, id: position))
      #expect(try await stream.event() == nil)
      #expect(try await world.stream(["user:ann"], after: position).event()?.type == "reset")
    }
  }

  @Test func aReaderThatFallsBehindIsEnded() async throws {
    world.backend.eventSettings.history = 10
    let stream = try await world.stream(["user:ann"])
    _ = try await stream.next()
    for number in 1...20 { try world.follow("other", "user-\(number)") }
    try world.follow("ann", "bob")
    #expect(try await stream.event()?.type == "follow.created", "what others do does not count")
    for number in 1...20 { try world.follow("ann", "user-\(number)") }
    let end = try await stream.event()
    #expect(end?.type == "end" && end?.data == #"{"reason":"too_slow"}"#)
    #expect(try await stream.event() == nil)
  }

  @Test func theNumberOfWaitingEventsIsASetting() async throws {
    world.backend.eventSettings.maximumWaiting = 2
    let stream = try await world.stream(["user:ann"])
    _ = try await stream.next()
    for number in 1...2 { try world.follow("ann", "user-\(number)") }
    #expect(try await stream.events(2).map(\.type) == ["follow.created", "follow.created"])
    for number in 3...5 { try world.follow("ann", "user-\(number)") }
    #expect(try await stream.event()?.type == "end")
  }

  @Test func aQuietStreamHasSignsOfLife() async throws {
    let body = try await world.response(["user:ann"]).body
    let signs = Locked(0)
    let reader = Task {
      for try await item in ServerSentEvents(body) {
        switch item {
        case .comment: signs.withLock { $0 += 1 }
        case .id(let id) where id.hasSuffix(":1"): return
        default: break
        }
      }
    }
    for count in 1...3 {
      while signs.withLock({ $0 }) < count {
        await world.clock.waitForSleepers()
        world.clock.advance(by: .seconds(1))
      }
    }
    #expect((36..<48).contains(world.clock.elapsed / .seconds(1)), "\(world.clock.elapsed)")
    try world.follow("other", "someone")
    world.backend.advanceClock(by: .seconds(15))
    // A quiet topic does not lose its place, and the backend's clock counts, too.
    try await reader.value
    #expect(signs.withLock { $0 } == 4)
  }

  @Test func aStreamEndsWithItsToken() async throws {
    let (_, token) = try world.user("ann")
    let stream = try await world.stream(["me"], token: token)
    _ = try await stream.next()
    world.backend.advanceClock(by: .seconds(3600))
    #expect(try await stream.event()?.data == #"{"reason":"token_expired"}"#)
    #expect(try await world.response(["me"], token: token).status == 401)
  }

  @Test func aStreamEndsWithItsSession() async throws {
    let session = try world.mock.call(
      AuthRPC.register, RegisterRequest(email: "a@example.com", username: "ann", password: "a good password"))
    let stream = try await world.stream(["me"], token: session.token)
    _ = try await stream.next()
    _ = try world.mock.call(AuthRPC.logout, LogoutRequest(refreshToken: session.refreshToken))
    #expect(try await stream.event()?.data == #"{"reason":"token_expired"}"#)
  }

  @Test func aCancelledReaderLeaves() async throws {
    let response = try await world.response(["user:ann"])
    #expect(world.backend.eventSubscriberCount == 1)
    let reader = Task { for try await _ in response.body {} }
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
  }

  @Test func aDroppedStreamLeaves() async throws {
    do { _ = try await world.response(["user:ann"]) }
    #expect(world.backend.eventSubscriberCount == 0)
  }

  @Test func streamsNeedATransportThatStreams() throws {
    let request = HTTPRequest(method: .get, url: "/api/v1/events/stream?topics=user:ann")
    let refusal = Refusal(world.backend.respond(to: request))
    #expect(refusal.status == 400 && refusal.message.contains("is a stream"), "\(refusal)")
  }

  @Test func aClientReadsAStream() async throws {
    let client = try APIClient.test(MockTransport(world.backend, clock: world.clock), token: nil)
    let stream = try await EventService(client: client).streamEvents(StreamEventsRequest(topics: ["user:ann"]))
    try world.follow("ann", "bob")
    for try await event in stream {
      #expect(event.subjectId == "bob" && event.counts["follower_count"] == 1)
      break
    }
  }
}

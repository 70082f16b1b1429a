import NovaCore
import NovaEvents
import NovaMock
import NovaTestSupport
import Testing

/// The topics of events that no call caused.
@Suite(.hangLimit) struct EmittedTopicTests {
  private let world = EventWorld()

  private func emit(_ topics: [String], by actor: String = "stranger") throws {
    try world.backend.emit(Event(type: "test.event", actorId: actor), topics: topics)
  }

  @Test func aFeedHasAnEventThatIsSentToIt() async throws {
    let stream = try await world.stream(["feed:ann"])
    try emit(["feed:ann"])
    #expect(try await stream.event()?.type == "test.event")
    #expect(try world.types("feed:ann") == ["test.event"])
    #expect(try world.types("feed:bob").isEmpty)
  }

  /// Not those of all who follow the actor.
  @Test func onlyTheChosenFeedsHaveTheEvent() throws {
    for follower in ["ann", "bob", "eve"] { try world.follow(follower, "author") }
    try emit(["feed:ann", "feed:eve"], by: "author")
    #expect(try world.types("feed:ann") == ["test.event"] && world.types("feed:eve") == ["test.event"])
    #expect(try world.types("feed:bob").isEmpty)
  }

  @Test func anEventIsListedOnce() throws {
    world.backend.eventSettings.history = 3
    for _ in 1...10 { try emit(["feed:ann", "feed:bob", "feed:ann", "post:1", "post:1"]) }
    #expect(try world.list(["feed:ann", "feed:bob", "post:1"], after: world.beginning).events.count == 3)
  }

  @Test func theInspectorNamesTheFeeds() async throws {
    try emit(["feed:ann", "feed:bob", "post:1"])
    try world.backend.emit(Event(type: "post.created", actorId: "ann"))
    let url = HTTPURL(received: "/_nova/event-stream?last=2")
    let response = await AdminAPI(world.backend).respond(to: HTTPRequest(method: .get, url: url))
    let events = try await EventStream(response).events(2).map { try JSONValue(jsonUTF8: Array($0.data.utf8)) }
    let topics = events.map { $0["topics"]?.elements?.compactMap(\.stringValue) }
    #expect(topics == [["feed:ann", "feed:bob", "post:1"], ["user:ann", "me:ann", "feed"]])
  }
}

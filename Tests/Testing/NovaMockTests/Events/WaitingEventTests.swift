import NovaContent
import NovaCore
import NovaEvents
import NovaMock
import NovaTestSupport
import Testing

/// Which events count as waiting for a subscriber.
@Suite(.hangLimit) struct WaitingEventTests {
  private let world = EventWorld()

  private func stream(_ topics: [String], maximum: Int, token: String? = nil) async throws -> EventStream {
    world.backend.eventSettings.maximumWaiting = maximum
    let stream = try await world.stream(topics, token: token)
    _ = try await stream.next()
    return stream
  }

  @Test func postsOfOthersDoNotCount() async throws {
    try world.follow("ann", "bob")
    let stream = try await stream(["feed:ann"], maximum: 2)
    for _ in 1...20 { _ = try world.post(by: "stranger") }
    for _ in 1...2 { _ = try world.post(by: "bob") }
    #expect(try await stream.events(2).map(\.type) == ["post.created", "post.created"])
    for _ in 1...3 { _ = try world.post(by: "bob") }
    #expect(try await stream.event()?.data == #"{"reason":"too_slow"}"#)
  }

  @Test func hiddenEventsDoNotCount() async throws {
    let (_, token) = try world.user("reader")
    let post = try world.post(by: "bob", privacy: "private")
    let stream = try await stream(["user:bob"], maximum: 1, token: token)
    for text in ["a", "b", "c"] {
      _ = try world.mock.call(ContentRPC.updatePost, UpdatePostRequest(postId: post, content: text))
    }
    try world.follow("bob", "eve")
    #expect(try await stream.event()?.type == "follow.created")
  }

  @Test func eventsOfSeveralTopicsCountTogether() async throws {
    let stream = try await stream(["user:ann", "user:bob"], maximum: 3)
    for number in 1...2 {
      for user in ["ann", "bob"] { try world.follow(user, "user-\(number)") }
    }
    #expect(try await stream.event()?.data == #"{"reason":"too_slow"}"#)
  }

  /// Each follow is in both topics.
  @Test func anEventOfTwoTopicsCountsOnce() async throws {
    let stream = try await stream(["user:ann", "user:bob"], maximum: 2)
    try world.follow("ann", "bob")
    try world.follow("bob", "ann")
    #expect(try await stream.events(2).map(\.type) == ["follow.created", "follow.created"])
  }
}

import NovaSDK
import NovaTesting
import ProfileServer
import Testing

/// `GET /events`: many users, one client.
@Suite struct EventStreams {
  private let wire = Wire(MockBackend(requiresTokens: true))
  private let nova: NovaClient
  private let tracker = FlushedTracker()

  init() { nova = NovaClient(configuration: .builtIn, transport: wire) { [tracker] in $0.tracker = tracker } }

  @Test(.timeLimit(.minutes(1))) func eachUserGetsTheirOwnEvents() async throws {
    let ann = try await Account("ann", on: nova)
    let bob = try await Account("bob", on: nova)
    try await withServer(nova) { server in
      var ofAnn = try await server.events(token: ann.token)
      var ofBob = try await server.events(token: bob.token)
      // Bookmarks are events of nobody but the user who has them.
      for (user, post) in [(ann, "post-1"), (bob, "post-2"), (ann, "post-3"), (bob, "post-4")] {
        try await user.nova.content.createBookmark(postId: post, userId: user.id)
      }
      let annsEvents = try await [ofAnn.next(), ofAnn.next()]
      #expect(annsEvents.map(\.?.postId) == ["post-1", "post-3"])
      #expect(annsEvents.allSatisfy { $0?.actorId == ann.id })
      let bobsEvents = try await [ofBob.next(), ofBob.next()]
      #expect(bobsEvents.map(\.?.postId) == ["post-2", "post-4"])
      #expect(bobsEvents.allSatisfy { $0?.actorId == bob.id })
    }
  }

  @Test(.timeLimit(.minutes(1))) func aStreamContinuesBehindTheLastEventID() async throws {
    let ann = try await Account("ann", on: nova)
    try await withServer(nova) { server in
      var first = try await server.events(token: ann.token)
      try await ann.nova.content.createBookmark(postId: "post-1", userId: ann.id)
      let id = try await first.next()?.id
      try await ann.nova.content.createBookmark(postId: "post-2", userId: ann.id)
      var second = try await server.events(token: ann.token, after: id)
      let next = try await second.next()
      #expect(next?.postId == "post-2")
    }
  }

  @Test(.timeLimit(.minutes(1))) func aStreamEndsWithItsClient() async throws {
    let ann = try await Account("ann", on: nova)
    try await withServer(nova) { server in
      let stream = try await server.events(token: ann.token)
      _ = await ann.nova.events.states.first { $0 == .live }
      // Dropping the stream closes the connection, and with it the subscription.
      _ = consume stream
      let end = await ann.nova.events.states.first { $0 == .offline }
      #expect(end == .offline)
    }
  }

  @Test(.timeLimit(.minutes(1))) func streamsEndWhenTheServerShutsDown() async throws {
    let ann = try await Account("ann", on: nova)
    let bob = try await Account("bob", on: nova)
    let ends = try await withServer(nova) { server in
      var streams = try await [server.events(token: ann.token), server.events(token: bob.token)]
      await server.group.triggerGracefulShutdown()
      return try await [streams[0].next(), streams[1].next()]
    }
    #expect(ends == [nil, nil], "both end as complete responses")
    // The client was shut down after the server, with its tracker; what it was given was not.
    let error = await #expect(throws: APIError.self) { try await nova.graph.getFollowers(userId: "mock-user-id") }
    #expect(error?.code == .cancelled)
    #expect(await tracker.flushes == 1)
    #expect(await wire.isShutDown == false)
  }
}

private actor FlushedTracker: Tracker {
  private(set) var flushes = 0

  nonisolated func track(_ event: String, properties: [String: String], options: CallOptions) {}
  func flush() { flushes += 1 }
}

import NovaCore
import NovaEvents
import NovaSupport
import NovaTesting
import Testing

/// Several users on one client: each subscription belongs to one caller until it ends.
@Suite struct CallerTests {
  /// How a service specifies its caller.
  enum Way: String, CaseIterable, Sendable {
    case token, namedToken, header, provider, opaqueProvider
  }

  private let gateway = EventGateway()

  private func service(_ way: Way, _ user: String, of live: Live) throws -> EventService {
    gateway.state.withLock { $0.users["\(user)-0"] = user }
    let token = try AccessToken("\(user)-0", user: way == .namedToken ? user : nil)
    return live.events.with { options in
      switch way {
      case .token, .namedToken: options.token = token
      case .header: options.headers["Authorization"] = "Bearer \(user)-0"
      case .provider: options.tokens = FakeSession(gateway, user: user)
      case .opaqueProvider: options.tokens = FakeSession(gateway, user: user, namesUser: false)
      }
    }
  }

  private func bookmark(_ user: String) -> String {
    gateway.emit("me:\(user)", type: "bookmark.created") { ($0.actorId, $0.subjectId, $0.text) = (user, user, user) }
  }

  @Test(arguments: Way.allCases)
  func `Each user gets their own events`(way: Way) async throws {
    let live = Live(gateway)
    let ada = try service(way, "ada", of: live).subscribe(topics: [.me])
    let bob = try service(way, "bob", of: live).subscribe(topics: [.me])
    try await ada.begin()
    try await bob.begin()
    #expect(await eventually { live.gateway.openStreams == 2 })
    let ids = [bookmark("ada"), bookmark("bob")]
    #expect(try await bob.take(1) == [ids[1]])
    #expect(try await ada.take(1) == [ids[0]])
    #expect(Set(gateway.calls.compactMap(\.token)).count == 2)
  }

  @Test func `Subscriptions of one caller share a connection, unless their requests differ`() async throws {
    let live = Live(gateway)
    let session = FakeSession(gateway, user: "ada")
    let services = [
      live.events.with { $0.tokens = session }, live.events.with { $0.tokens = session },
      // The same user on another device, with tokens of another session.
      live.events.with { $0.tokens = FakeSession(gateway, user: "ada") },
      live.events.with {
        $0.tokens = session; $0.headers["X-Tenant"] = "a"
      },
      live.events.with {
        $0.tokens = session; $0.headers["X-Tenant"] = "b"
      },
      live.events.with {
        $0.tokens = session; $0.headers["X-Tenant"] = "b"
      },
      live.events,
    ]
    var subscriptions: [EventSubscription] = []
    for (number, service) in services.enumerated() {
      subscriptions.append(service.subscribe(topics: [.post("\(number)")]))
      try await subscriptions[number].begin()
    }
    #expect(await eventually { live.gateway.openStreams == 5 })
    for (number, subscription) in subscriptions.enumerated() {
      let id = live.gateway.emit("post:\(number)")
      #expect(try await subscription.take(1) == [id])
    }
    #expect(
      gateway.calls.allSatisfy { ($0.header == "b") == ($0.topics.contains("post:4") || $0.topics.contains("post:5")) })
    // Each session gets one handler for its end, however many connections it has.
    #expect(session.handlerCount == 1)
  }

  @Test(arguments: [true, false])
  func `A sign-out ends the user's subscriptions at once`(ofClient: Bool) async throws {
    let session = FakeSession(gateway, user: "ada")
    let live = ofClient ? Live(gateway, tokens: session) : Live(gateway)
    let events = ofClient ? live.events : live.events.with { $0.tokens = session }
    let other = try service(.namedToken, "ada", of: live).subscribe(topics: [.me])
    try await other.begin()
    let begun = events.subscribe(topics: [.me])
    try await begun.begin()
    #expect(await eventually { live.gateway.openStreams == 2 })
    // Another subscription cannot begin yet. The status is not 503, which would also make other callers wait.
    gateway.state.withLock { $0.listFailure = HTTPResponse(status: 429, headers: [:], body: []) }
    let waiting = events.subscribe(topics: [.me, .post("1")])
    let beginning = Task { try await waiting.take(1) }
    #expect(await eventually { live.gateway.state.withLock { $0.failedLists } > 0 })
    await session.signOut()
    gateway.state.withLock { $0.listFailure = nil }

    for reading in [Task { try await begun.take(1) }, beginning] {
      let error = await #expect(throws: APIError.self) { try await reading.value }
      #expect(error?.code == .unauthorized)
      #expect(error?.message.contains("signed out") == true)
    }
    #expect(await eventually { live.gateway.openStreams == 1 })
    // A request's own token does not belong to the session.
    let id = bookmark("ada")
    #expect(try await other.take(1) == [id])

    session.signIn("bob")
    let next = events.subscribe(topics: [.me])
    try await next.begin()
    let bobs = bookmark("bob")
    #expect(try await next.take(1) == [bobs])
  }

  @Test(arguments: [true, false])
  func `A subscription does not continue for another user who signs in`(byReconnecting: Bool) async throws {
    let session = FakeSession(gateway, user: "ada")
    let live = Live(gateway, tokens: session)
    let subscription = live.events.subscribe(topics: [.me])
    try await subscription.begin()
    #expect(await eventually { live.events.state == .live })
    session.signIn("bob")
    let count = gateway.calls.count
    if byReconnecting { live.gateway.endStreams() }
    let reading = Task { try await subscription.take(1) }
    // Without a reconnection, the change is noticed in the next silence.
    #expect(
      await eventually {
        live.clock.advance(by: .seconds(1))
        return live.gateway.openStreams == 0
      })
    let error = await #expect(throws: APIError.self) { try await reading.value }
    #expect(error?.code == .unauthorized)
    #expect(error?.message.contains("the user changed") == true)
    #expect(gateway.calls[count...].allSatisfy { $0.token?.hasPrefix("bob") != true })
  }

  @Test func `A token that expires ends its subscriptions`() async throws {
    let live = Live(gateway)
    let subscription = try service(.token, "ada", of: live).subscribe(topics: [.me])
    try await subscription.begin()
    #expect(await eventually { live.gateway.openStreams == 1 })
    gateway.state.withLock { $0.users = ["bob-0": "bob"] }
    live.gateway.endStreams("event: end\ndata: {\"reason\":\"token_expired\"}\n\n")
    let error = await #expect(throws: APIError.self) { try await subscription.take(1) }
    #expect(error?.code == .unauthorized)
  }

  @Test(arguments: [true, false])
  func `A provider renews a token that expires`(namesUser: Bool) async throws {
    let live = Live(gateway)
    let session = FakeSession(gateway, user: "ada", namesUser: namesUser)
    let subscription = live.events.with { $0.tokens = session }.subscribe(topics: [.me])
    try await subscription.begin()
    for _ in 0..<3 {
      #expect(await eventually { live.gateway.openStreams == 1 })
      session.renew()
      live.gateway.endStreams("event: end\ndata: {\"reason\":\"token_expired\"}\n\n")
      live.clock.advance(by: .seconds(31))
      let id = bookmark("ada")
      let reading = Task { try await subscription.take(1) }
      #expect(
        await eventually {
          live.clock.advance(by: .seconds(5))
          return live.gateway.openStreams == 1
        })
      #expect(try await reading.value == [id])
    }
  }

  @Test func `States and disconnecting are each caller's own`() async throws {
    let live = Live(gateway)
    let (ada, bob) = (try service(.token, "ada", of: live), try service(.namedToken, "bob", of: live))
    let watched = Locked<[LiveState]>([])
    let watching = Task { for await state in ada.states { watched.withLock { $0.append(state) } } }
    defer { watching.cancel() }
    let adas = ada.subscribe(topics: [.me])
    let bobs = bob.subscribe(topics: [.me])
    try await adas.begin()
    #expect(await eventually { ada.state == .live })
    #expect(bob.state == .offline)
    #expect(live.events.state == .offline)
    try await bobs.begin()
    #expect(await eventually { bob.state == .live })
    await bob.disconnect()
    #expect(bob.state == .offline)
    #expect(ada.state == .live)
    #expect(try await bobs.take(1) == [])
    let again = bob.subscribe(topics: [.me])
    try await again.begin()
    let ids = [bookmark("ada"), bookmark("bob")]
    #expect(try await again.take(1) == [ids[1]])
    #expect(try await adas.take(1) == [ids[0]])
    await live.events.disconnect()
    #expect(try await adas.take(1) == [])
    #expect(try await again.take(1) == [])
    #expect(ada.state == .offline)
    await #expect(throws: APIError.self) { try await bob.subscribe(topics: [.me]).begin() }
    #expect(await eventually { watched.withLock { $0.last } == .offline && watched.withLock { $0.contains(.live) } })
  }

  @Test func `Each user resumes at their own position`() async throws {
    let session = FakeSession(gateway, user: "ada")
    let live = Live(gateway, tokens: session)
    let store = MemoryPositions()
    // Earlier versions stored the position under this name.
    let missed = [bookmark("ada"), bookmark("bob"), bookmark("ada")]
    try await store.store("1:1", named: "inbox")
    let ada = live.events.subscribe(topics: [.me], resumingAs: "inbox", in: store)
    #expect(try await ada.take(1) == [missed[2]])
    ada.cancel()
    await session.signOut()
    session.signIn("bob")
    let bob = live.events.subscribe(topics: [.me], resumingAs: "inbox", in: store)
    try await bob.begin()
    #expect(bob.position == "1:3", "Bob's begins now")
    let next = bookmark("ada")
    // The same user, with a request's own token.
    let again = try service(.namedToken, "ada", of: live).subscribe(topics: [.me], resumingAs: "inbox", in: store)
    // Ada did not request the update after her last event, so that event does not count as read.
    #expect(try await again.take(2) == [missed[2], next])
    let others = [try service(.token, "ada", of: live), try service(.namedToken, "cyn", of: live)]
    for other in others {
      let subscription = other.subscribe(topics: [.post("1")], resumingAs: "inbox", in: store)
      try await subscription.begin()
      #expect(subscription.position == gateway.now)
    }
    #expect(await store.stored.filter { !$0.value.isEmpty }.count == 4)
  }

  @Test func `A program whose only user is unknown keeps its positions`() async throws {
    let store = MemoryPositions()
    for token in ["first", "second"] {
      gateway.state.withLock { $0.users[token] = "ada" }
      let live = Live(gateway, tokens: StoredToken(try AccessToken(token)))
      try await live.events.subscribe(topics: [.me], resumingAs: "inbox", in: store).begin()
      _ = bookmark("ada")
    }
    #expect(await store.stored == ["inbox": "1:0"])
  }

  @Test func `The store gets events with their caller`() async throws {
    let store = NotedEvents()
    let live = Live(gateway, store: store)
    for user in ["ada", "bob"] {
      let subscription = try service(.namedToken, user, of: live).subscribe(topics: [.me])
      try await subscription.begin()
      let id = bookmark(user)
      #expect(try await subscription.take(1) == [id])
    }
    #expect(store.noted.withLock { $0 } == ["ada: ada", "bob: bob"])
  }
}

/// A store that records the events it receives for each caller.
private final class NotedEvents: EventReceiver {
  let noted = Locked<Set<String>>([])

  func begin(with client: APIClient) {}

  func respond(to call: StoredCall, by send: @escaping Send) async throws -> APIResponse<any ProtoMessage> {
    try await send(call)
  }

  func forget(_ identity: Identity) async {}
  func end(for client: APIClient) async {}
  func received(_ events: [Event]) async {}

  func received(_ events: [Event], for identity: Identity) async {
    for event in events { noted.withLock { _ = $0.insert("\(identity.user ?? "?"): \(event.text ?? "")") } }
  }
}

import NovaCore
import NovaEvents
import NovaHTTP
import NovaSupport
import NovaTesting
import Testing

@Suite struct SubscriptionTests {
  @Test func `Subscriptions share a connection, and its topics are counted`() async throws {
    let live = Live()
    let first = live.events.subscribe(topics: [.post("1"), .user("ada")])
    let second = live.events.subscribe(topics: [.post("1")])
    try await first.begin()
    #expect(await eventually { live.gateway.openStreams == 1 })
    try await second.begin()
    let ids = (0..<3).map { _ in live.gateway.emit("post:1") }
    let follow = live.gateway.emit("user:ada", type: "follow.created")
    #expect(try await first.take(4) == ids + [follow])
    #expect(try await second.take(3) == ids)
    #expect(live.gateway.requests.filter { $0.hasPrefix("stream") }.count == 1, "\(live.gateway.requests)")
    first.cancel()
    #expect(live.gateway.openStreams == 1)
    second.cancel()
    #expect(await eventually { live.gateway.openStreams == 0 })
  }

  @Test func `A new topic delivers no history, and no event is missing`() async throws {
    let live = Live()
    let first = live.events.subscribe(topics: [.post("1")])
    try await first.begin()
    var expected = [live.gateway.emit("post:1")]
    live.gateway.emit("post:2")
    let second = live.events.subscribe(topics: [.post("2")])
    try await second.begin()
    expected.append(live.gateway.emit("post:1"))
    let new = live.gateway.emit("post:2")
    #expect(try await second.take(1) == [new])
    #expect(try await first.take(2) == expected)
  }

  @Test func `Many subscriptions begin and end while events happen`() async throws {
    let live = Live()
    let gateway = live.gateway
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          let topic = "post:\(number % 7)"
          let subscription = live.events.subscribe(topics: [EventTopic(rawValue: topic)])
          try await subscription.begin()
          let start = gateway.state.withLock { $0.events.count }
          let own = gateway.emit(topic)
          var taken: [String] = []
          while !taken.contains(own) { taken += try await subscription.take(1) }
          let happened = gateway.state.withLock { state in
            state.events.filter { $0.topics.contains(topic) }.map(\.event.id)
          }
          // Events from before `start` are allowed. None may be missing, and they must be in order.
          let since = gateway.state.withLock { state in
            state.events[start...].filter { $0.topics.contains(topic) }.map(\.event.id)
          }
          #expect(taken == Array(happened[..<(happened.firstIndex(of: own) ?? 0)].suffix(taken.count - 1)) + [own])
          #expect(taken.suffix(since.firstIndex(of: own).map { $0 + 1 } ?? 0) == since.prefix { $0 != own } + [own])
        }
      }
      try await group.waitForAll()
    }
    #expect(await eventually { gateway.openStreams == 0 })
  }

  @Test func `A slow reader gets everything`() async throws {
    let live = Live()
    let slow = live.events.subscribe(topics: [.post("1")])
    let fast = live.events.subscribe(topics: [.post("1")])
    try await slow.begin()
    try await fast.begin()
    let ids = (0..<2000).map { _ in live.gateway.emit("post:1") }
    #expect(try await fast.take(2000) == ids)
    let taken = try await slow.take(1000)
    let more = (0..<10).map { _ in live.gateway.emit("post:1") }
    #expect(taken + (try await slow.take(1010)) == ids + more)
  }

  @Test func `A subscription continues after a position`() async throws {
    let live = Live()
    let ids = (0..<1200).map { _ in live.gateway.emit("post:1") }
    let subscription = live.events.subscribe(topics: [.post("1")], after: ids[99])
    #expect(try await subscription.take(1100) == Array(ids[100...]))
    #expect(subscription.position == ids[1198])
    let next = live.gateway.emit("post:1")
    #expect(try await subscription.take(1) == [next])
  }

  @Test func `A lost position is one resync`() async throws {
    let live = Live()
    live.gateway.emit("post:1")
    live.gateway.beginEpoch()
    let subscription = live.events.subscribe(topics: [.post("1")], after: "1:1")
    #expect(try await subscription.take(1) == ["resync"])
    let next = live.gateway.emit("post:1")
    #expect(try await subscription.take(1) == [next])
  }

  @Test func `Unreadable listed events are one resync`() async throws {
    let live = Live()
    let first = live.gateway.emit("post:1")
    let unreadable = live.gateway.emit("post:1")
    live.gateway.state.withLock { _ = $0.unreadable.insert(unreadable) }
    let subscription = live.events.subscribe(topics: [.post("1")], after: first)
    #expect(try await subscription.take(1) == ["resync"])
    let next = live.gateway.emit("post:1")
    #expect(try await subscription.take(1) == [next])
  }

  @Test func `Reading a snapshot is repeated after failures that may pass`() async throws {
    let live = Live()
    let attempts = Locked(0)
    var counted = live.events.snapshotThenFollow(topics: [.post("1")]) { () -> Int in
      let attempt = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      if attempt < 3 { throw APIError(.unavailable, "not now") }
      if attempt == 4 { throw APIError(.notFound, "no such post") }
      return attempt
    }.makeAsyncIterator()
    guard case .snapshot(let attempt) = try await counted.next() else {
      Issue.record("no snapshot")
      return
    }
    #expect(attempt == 3)
    live.gateway.beginEpoch()
    live.gateway.endStreams()
    let error = await #expect(throws: APIError.self) { try await counted.next() }
    #expect(error?.code == .notFound)
  }

  @Test func `Positions survive a restart`() async throws {
    let live = Live()
    let positions = MemoryPositions()
    var ids: [String] = []
    do {
      let first = live.events.subscribe(topics: [.post("1")], resumingAs: "inbox", in: positions)
      try await first.begin()
      ids = (0..<5).map { _ in live.gateway.emit("post:1") }
      #expect(try await first.take(3) == Array(ids[..<3]))
      first.cancel()
    }
    #expect(await eventually { await positions.stored["inbox"] == "1:2" })
    let second = live.events.subscribe(topics: [.post("1")], resumingAs: "inbox", in: positions)
    // The third event was delivered, but may not have been processed.
    #expect(try await second.take(3) == Array(ids[2...]))
  }

  @Test func `Disconnecting is final`() async throws {
    let live = Live()
    let subscription = live.events.subscribe(topics: [.post("1")])
    try await subscription.begin()
    #expect(await eventually { live.gateway.openStreams == 1 })
    let reading = Task { try await subscription.take(1) }
    await live.events.disconnect()
    #expect(try await reading.value == [])
    #expect(await eventually { live.gateway.openStreams == 0 })
    let count = live.gateway.requests.count
    live.clock.advance(by: .seconds(100))
    let error = await #expect(throws: APIError.self) {
      try await live.events.subscribe(topics: [.post("1")]).begin()
    }
    #expect(error?.code == .failedPrecondition)
    #expect(live.gateway.requests.count == count)
  }

  @Test func `Cancelling the reading task ends connection and subscription`() async throws {
    let live = Live()
    let subscription = live.events.subscribe(topics: [.post("1")])
    let reading = Task { try await subscription.take(1) }
    #expect(await eventually { live.gateway.openStreams == 1 })
    reading.cancel()
    #expect(try await reading.value == [])
    #expect(await eventually { live.gateway.openStreams == 0 })
    live.gateway.emit("post:1")
    #expect(try await subscription.take(1) == [])
  }

  @Test func `Topics that the gateway refuses fail alone`() async throws {
    let live = Live()
    let good = live.events.subscribe(topics: [.post("1")])
    try await good.begin()
    live.gateway.state.withLock {
      $0.listFailure = HTTPResponse(status: 403, headers: [:], body: Array("{\"code\":7,\"message\":\"private\"}".utf8))
    }
    let bad = live.events.subscribe(topics: [.user("secret")])
    let error = await #expect(throws: APIError.self) { try await bad.take(1) }
    #expect(error?.code == .permissionDenied)
    live.gateway.state.withLock { $0.listFailure = nil }
    let next = live.gateway.emit("post:1")
    #expect(try await good.take(1) == [next])
  }

  @Test func `The state shows whether events arrive`() async throws {
    let live = Live(EventGateway(plans: [.init(), .init(status: 503)]))
    #expect(live.events.state == .offline)
    let subscription = live.events.subscribe(topics: [.post("1")])
    try await subscription.begin()
    #expect(await eventually { live.events.state == .live })
    live.gateway.endStreams("")
    #expect(await eventually { live.events.state == .live && live.gateway.openStreams == 1 })
    subscription.cancel()
    #expect(await eventually { live.events.state == .offline })
  }

  @Test func `A snapshot is read after the subscription has begun, and again after a resync`() async throws {
    let live = Live()
    live.gateway.emit("post:1")
    let counted = live.events.snapshotThenFollow(topics: [.post("1")]) {
      let count = live.gateway.state.withLock { $0.events.count }
      live.gateway.emit("post:1")
      return count
    }
    var seen: [String] = []
    for try await update in counted {
      switch update {
      case .snapshot(let count): seen.append("snapshot \(count)")
      case .event(let event): seen.append(event.id)
      }
      if seen.count == 2 {
        live.gateway.beginEpoch()
        live.gateway.endStreams()
      }
      if seen.count == 4 { break }
    }
    #expect(seen == ["snapshot 1", "1:2", "snapshot 2", "2:3"])
  }
}

actor MemoryPositions: EventPositionStore {
  private(set) var stored: [String: String] = [:]

  func position(named name: String) async throws -> String? { stored[name] }
  func store(_ position: String, named name: String) async throws { stored[name] = position }
}

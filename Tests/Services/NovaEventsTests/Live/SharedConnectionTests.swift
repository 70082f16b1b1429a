import NovaCore
import NovaEvents
import NovaSupport
import NovaTesting
import Testing

/// Subscriptions that share a connection do not affect each other.
@Suite struct SharedConnectionTests {
  /// Waits for seconds, because other tests run on this machine at the same time.
  private func waitForStream(_ live: Live, of topics: String) async -> Bool {
    await eventually { live.gateway.requests.contains { $0.hasPrefix("stream \(topics) ") } }
  }

  @Test func `Subscriptions that begin at once get connections with room for their topics`() async throws {
    let live = Live()
    let sizes = [60, 50, 40, 30, 20, 10]
    let subscriptions = sizes.enumerated().map { number, size in
      live.events.subscribe(topics: (0..<size).map { .post("\(number)-\($0)") })
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for subscription in subscriptions { group.addTask { try await subscription.begin() } }
      try await group.waitForAll()
    }
    for (number, subscription) in subscriptions.enumerated() {
      let id = live.gateway.emit("post:\(number)-0")
      #expect(try await subscription.take(1) == [id])
    }
    let most = live.gateway.requests.map { $0.split(separator: " ")[1].split(separator: ",").count }.max() ?? 0
    #expect(most <= 100)
  }

  @Test func `A refused topic without subscriptions does not affect other topics`() async throws {
    let live = Live()
    let first = live.events.subscribe(topics: [.post("1")])
    let second = live.events.subscribe(topics: [.user("x")])
    try await first.begin()
    try await second.begin()
    #expect(await waitForStream(live, of: "post:1,user:x"))
    second.cancel()
    live.gateway.state.withLock { $0.refused = ["user:x": 403] }
    let third = live.events.subscribe(topics: [.post("2")])
    try await third.begin()
    let ids = [live.gateway.emit("post:1"), live.gateway.emit("post:2")]
    #expect(try await first.take(1) == [ids[0]])
    #expect(try await third.take(1) == [ids[1]])
  }

  @Test func `Subscriptions continue until it is known which of them is refused`() async throws {
    let live = Live()
    let first = live.events.subscribe(topics: [.post("1")])
    let second = live.events.subscribe(topics: [.user("x")])
    try await first.begin()
    try await second.begin()
    #expect(await waitForStream(live, of: "post:1,user:x"))
    // The gateway refuses the stream because of the second subscription, but cannot list its topic at the moment.
    live.gateway.state.withLock { state in
      state.refused = ["user:x": 503]
      state.plans = Array(repeating: .init(status: 403), count: 2)
    }
    live.gateway.endStreams()
    #expect(
      await eventually {
        live.clock.advance(by: .seconds(31))
        return live.gateway.requests.filter { $0.hasPrefix("stream") }.count >= 4
      })
    live.gateway.state.withLock { $0.refused = ["user:x": 403] }
    let failing = Task { try await second.take(1) }
    let id = live.gateway.emit("post:1")
    let taken = Locked<[String]?>(nil)
    let reading = Task {
      let ids = try await first.take(1)
      taken.withLock { $0 = ids }
    }
    #expect(
      await eventually {
        live.clock.advance(by: .seconds(31))
        return taken.withLock { $0 == [id] }
      })
    try await reading.value
    let error = await #expect(throws: APIError.self) { try await failing.value }
    #expect(error?.code == .permissionDenied)
  }

  @Test func `Opening a second connection does not report offline`() async throws {
    let live = Live()
    let states = Locked<[LiveState]>([])
    let watching = Task { for await state in live.events.states { states.withLock { $0.append(state) } } }
    defer { watching.cancel() }
    let many = live.events.subscribe(topics: (0..<100).map { .post("\($0)") })
    try await many.begin()
    #expect(await eventually { live.events.state == .live })
    let more = live.events.subscribe(topics: [.user("ada")])
    try await more.begin()
    #expect(await eventually { live.gateway.openStreams == 2 })
    #expect(await eventually { live.events.state == .live })
    #expect(states.withLock { $0.drop { $0 != .live }.contains(.offline) } == false)
  }

  @Test func `The deadline of the first subscription does not end the others`() async throws {
    let live = Live(waitsBriefly: false)
    let hurried = live.events.with { $0.deadline = live.clock.now.advanced(by: .seconds(5)) }
    let first = hurried.subscribe(topics: [.post("1")])
    let second = live.events.subscribe(topics: [.post("1")])
    try await first.begin()
    try await second.begin()
    first.cancel()
    live.clock.advance(by: .seconds(6))
    #expect(await eventually { live.gateway.openStreams == 1 })
    live.gateway.endStreams()
    let id = live.gateway.emit("post:1")
    let reading = Task { try await second.take(1) }
    #expect(
      await eventually {
        live.clock.advance(by: .milliseconds(100))
        return live.gateway.openStreams == 1
      })
    #expect(try await reading.value == [id])
  }

  @Test func `An event that is too large for the stream is listed, and the stream continues after it`() async throws {
    let live = Live()
    let subscription = live.events.subscribe(topics: [.post("1")])
    try await subscription.begin()
    #expect(await eventually { live.gateway.openStreams == 1 })
    let ids = [
      live.gateway.emit("post:1"),
      live.gateway.emit("post:1") { $0.text = String(repeating: "x", count: 2 << 20) },
      live.gateway.emit("post:1"),
    ]
    #expect(try await subscription.take(3) == ids)
    #expect(await eventually { live.gateway.openStreams == 1 })
    let next = live.gateway.emit("post:1")
    #expect(try await subscription.take(1) == [next])
    #expect(live.gateway.requests.filter { $0.hasPrefix("stream") }.count == 2, "\(live.gateway.requests)")
  }
}

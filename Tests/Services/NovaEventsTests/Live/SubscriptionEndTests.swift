import NovaCore
import NovaEvents
import NovaHTTP
import NovaSupport
import NovaTestSupport
import NovaTesting
import Testing

/// A subscription ends at once, even if it is waiting, and a later one continues at its position.
@Suite struct SubscriptionEndTests {
  /// What reading waits for when the subscription ends.
  enum Wait: String, CaseIterable, Sendable {
    /// The gateway lists events, and its stream fails.
    case connection
    /// The gateway is unavailable, and the next attempt is an hour away.
    case retry
    /// The gateway is unavailable before the subscription begins.
    case beginning
  }

  @Test(arguments: Wait.allCases, [true, false])
  func `Reading ends at once`(wait: Wait, byDisconnecting: Bool) async throws {
    let live = Live(EventGateway(plans: Array(repeating: .init(status: 503), count: 1000)))
    let away = HTTPResponse(status: 429, headers: ["Retry-After": "3600"], body: [])
    if wait == .beginning { live.gateway.state.withLock { $0.listFailure = away } }
    let subscription = live.events.subscribe(topics: [.post("1")])
    if wait != .beginning { try await subscription.begin() }
    if wait == .retry { live.gateway.state.withLock { $0.listFailure = away } }
    let reading = Task { try await subscription.take(1) }
    #expect(await eventually { wait == .connection || live.gateway.state.withLock { $0.failedLists } > 0 })
    if byDisconnecting { await live.events.disconnect() } else { subscription.cancel() }
    // No time has passed on the clock.
    #expect(try await reading.value == [])
  }

  /// What ends a subscription that is waiting for the gateway's first response.
  enum BeginningEnd: String, CaseIterable, Sendable {
    case cancelling, disconnecting, theTask, theDeadline, shuttingDown
  }

  @Test(arguments: BeginningEnd.allCases) func `A subscription that is beginning ends at once`(by end: BeginningEnd)
    async throws
  {
    let (listing, gone) = (Locked(0), Locked(0))
    let transport = RecordingTransport { _, _ in
      listing.withLock { $0 += 1 }
      defer { gone.withLock { $0 += 1 } }
      try await Task.sleep(for: .seconds(3600))
      return HTTPResponse(status: 500)
    }
    let clock = ManualClock()
    let client = try APIClient.test(transport, clock: clock)
    let events = EventService(client: client, options: CallOptions(deadline: clock.now.advanced(by: .seconds(5))))
    let subscription = events.subscribe(topics: [.post("1")])
    let beginning = Task { await apiError { try await subscription.begin() } }
    #expect(await eventually { listing.withLock { $0 } == 1 })
    switch end {
    case .cancelling: subscription.cancel()
    case .disconnecting: await events.disconnect()
    case .theTask: beginning.cancel()
    case .theDeadline: clock.advance(by: .seconds(6))
    case .shuttingDown: await client.shutdown(grace: .seconds(3600))
    }
    #expect(await beginning.value?.code == (end == .theDeadline ? .timeout : .cancelled))
    if end == .theTask { subscription.cancel() }
    // The request is cancelled, too.
    #expect(await eventually { gone.withLock { $0 } == 1 })
    #expect(try await subscription.take(1) == [])
  }

  /// Where the gateway refuses a subscription.
  enum Refusal: String, CaseIterable, Sendable {
    case inStream, nextConnection
  }

  @Test(arguments: [1, 3, 256, 300, 1000], Refusal.allCases)
  func `Events before a refusal are delivered`(count: Int, refusal: Refusal) async throws {
    let live = Live(EventGateway(plans: [.init(), .init(status: 403)]))
    let subscription = live.events.subscribe(topics: [.post("1")])
    try await subscription.begin()
    #expect(await eventually { live.events.state == .live })
    let ids = (0..<count).map { _ in live.gateway.emit("post:1") }
    let error = #"{"error":{"code":7,"message":"no","details":[]}}"#
    live.gateway.endStreams(refusal == .inStream ? "data: \(error)\n\n" : "event: end\ndata: {}\n\n")
    // The reader is slower than the refusal.
    #expect(await eventually { subscription.isEnded })
    var taken: [String] = []
    let failure = await apiError {
      for try await case .event(let event) in subscription { taken.append(event.id) }
    }
    #expect(failure?.code == .permissionDenied && taken == ids, "\(taken.count) of \(count)")
  }

  /// The stream delivers everything at once. In some runs, the refusal arrives before the subscription has noted that
  /// it has begun.
  @Test(arguments: [true, false])
  func `Events before a refusal at the beginning are delivered`(begins: Bool) async throws {
    let events = (1...3).map { EventGateway.frame(Event(id: "1:\($0)", type: "like.created", postId: "1")) }
    let error = #"{"error":{"code":7,"message":"no","details":[]}}"#
    let greeting = "retry: 0\n\n\(events.joined())data: \(error)\n\n"
    try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<50 {
        group.addTask {
          let live = Live(EventGateway(plans: [.init(greeting: greeting)]))
          let subscription = live.events.subscribe(topics: [.post("1")])
          var taken: [String] = []
          let failure = await apiError {
            if begins { try await subscription.begin() }
            for try await case .event(let event) in subscription { taken.append(event.id) }
          }
          return taken + ["\(failure?.code.rawValue ?? "no failure")", subscription.position ?? "no position"]
        }
      }
      for try await taken in group { #expect(taken == ["1:1", "1:2", "1:3", "permissionDenied", "1:3"]) }
    }
  }

  @Test func `Events that cannot be listed after a refusal are delivered by the next subscription`() async throws {
    let live = Live()
    let subscription = live.events.subscribe(topics: [.post("1")])
    try await subscription.begin()
    #expect(await eventually { live.events.state == .live })
    let ids = (0..<300).map { _ in live.gateway.emit("post:1") }
    live.gateway.state.withLock { $0.refused["post:1"] = 403 }
    live.gateway.endStreams()
    #expect(await eventually { subscription.isEnded })
    var taken: [String] = []
    let failure = await apiError {
      for try await case .event(let event) in subscription { taken.append(event.id) }
    }
    #expect(failure?.code == .permissionDenied && taken == Array(ids.prefix(taken.count)) && !taken.isEmpty)
    live.gateway.state.withLock { $0.refused = [:] }
    let rest = live.events.subscribe(topics: [.post("1")], after: subscription.position)
    #expect(try await rest.take(300 - taken.count) == Array(ids.dropFirst(taken.count)))
  }

  @Test func `A named subscription begins once`() async throws {
    let live = Live()
    let positions = MemoryPositions()
    live.gateway.emit("post:1")
    let first = live.events.subscribe(topics: [.post("1")], resumingAs: "inbox", in: positions)
    try await first.begin()
    #expect(await positions.stored["inbox"] == "1:1")
    // The program ends before it has processed an event.
    let missed = live.gateway.emit("post:1")
    let second = live.events.subscribe(topics: [.post("1")], resumingAs: "inbox", in: positions)
    #expect(try await second.take(1) == [missed])
  }

  @Test func `Shutting down stores the last position`() async throws {
    let live = Live()
    let positions = MemoryPositions()
    let subscription = live.events.subscribe(topics: [.post("1")], resumingAs: "inbox", in: positions)
    try await subscription.begin()
    let ids = (0..<3).map { _ in live.gateway.emit("post:1") }
    #expect(try await subscription.take(3) == ids)
    let reading = Task { try await subscription.take(1) }
    // The third event counts as read once the fourth is requested.
    #expect(await eventually { subscription.position == ids[2] })
    await live.events.disconnect()
    #expect(await positions.stored["inbox"] == ids[2])
    #expect(try await reading.value == [])
  }

  @Test func `A slow store ends with the latest position`() async throws {
    let live = Live()
    let positions = SlowPositions()
    let subscription = live.events.subscribe(topics: [.post("1")], resumingAs: "inbox", in: positions)
    try await subscription.begin()
    for _ in 0..<20 {
      live.gateway.emit("post:1")
      _ = try await subscription.take(1)
      live.clock.advance(by: .seconds(2))
      await Task.yield()
    }
    let reading = Task { try await subscription.take(1) }
    #expect(await eventually { subscription.position == live.gateway.now })
    await live.events.disconnect()
    #expect(await positions.stored.last == live.gateway.now)
    #expect(await positions.stored == positions.stored.sorted { $0.count == $1.count ? $0 < $1 : $0.count < $1.count })
    #expect(try await reading.value == [])
  }

  @Test func `Events after a resync are not skipped, and a resync is not repeated`() async throws {
    let live = Live()
    live.gateway.emit("post:1")
    live.gateway.beginEpoch()
    let retained = live.gateway.emit("post:1")
    let subscription = live.events.subscribe(topics: [.post("1")], after: "1:1")
    #expect(try await subscription.take(1) == ["resync"])
    // This subscription continues after the program has read everything again.
    let afterReading = live.events.subscribe(topics: [.post("1"), .post("2")], after: subscription.following)
    try await afterReading.begin()
    let next = live.gateway.emit("post:2")
    #expect(try await afterReading.take(1) == [next])
    // For a program that ends here, the resync counts as read once the next update is requested.
    #expect(subscription.position == "1:1")
    #expect(try await subscription.take(1) == [retained])
    #expect(subscription.position == "1:1")
    let again = live.events.subscribe(topics: [.post("1")], after: subscription.position)
    #expect(try await again.take(2) == ["resync", retained])
  }

  @Test func `The position of a beginning is not that of an event`() async throws {
    let live = Live()
    let other = live.events.subscribe(topics: [.post("1")])
    try await other.begin()
    #expect(await eventually { live.events.state == .live })
    let subscription = live.events.subscribe(topics: [.post("1")])
    try await subscription.begin()
    let start = try #require(subscription.position)
    let id = live.gateway.emit("post:1")
    #expect(subscription.position == start)
    #expect(try await live.events.subscribe(topics: [.post("1")], after: start).take(1) == [id])
  }
}

/// Stores positions after waits of different lengths.
private actor SlowPositions: EventPositionStore {
  private(set) var stored: [String] = []
  private var count = 0

  func position(named name: String) async throws -> String? { stored.last }

  func store(_ position: String, named name: String) async throws {
    count += 1
    for _ in 0..<(count % 3 == 0 ? 1 : 50) { await Task.yield() }
    stored.append(position)
  }
}

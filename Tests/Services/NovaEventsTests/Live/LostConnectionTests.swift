import NovaCore
import NovaEvents
import NovaTestSupport
import NovaTesting
import Testing

/// Even if connections are lost, a subscription delivers each event once and in order, or a resync.
@Suite struct LostConnectionTests {
  /// The number of bytes that a connection without faults delivers with four events.
  static let streamLength = 700

  @Test(arguments: TestDepth.cases(stride(from: 0, through: streamLength, by: 7), sample: 25))
  func `A connection can be lost at every byte`(first: Int) async throws {
    for cut in first..<(first + 7) {
      for chunkSize in [nil, 1] {
        let live = Live(EventGateway(plans: [.init(limit: cut, chunkSize: chunkSize), .init(limit: cut * 2)]))
        let subscription = live.events.subscribe(topics: [.post("1")])
        try await subscription.begin()
        let ids = (0..<3).map { _ in live.gateway.emit("post:1") }
        let taken = try await subscription.take(2)
        let last = live.gateway.emit("post:1")
        let all = taken + (try await subscription.take(2))
        #expect(all == ids + [last], "cut after \(cut) bytes, in chunks of \(chunkSize ?? 0)")
        subscription.cancel()
      }
    }
  }

  @Test func `Repeated events are delivered once`() async throws {
    let plan = EventGateway.Plan(repeats: true)
    let live = Live(EventGateway(plans: [plan, plan, plan]))
    let subscription = live.events.subscribe(topics: [.post("1")])
    try await subscription.begin()
    var ids: [String] = []
    for _ in 0..<3 {
      ids += (0..<10).map { _ in live.gateway.emit("post:1") }
      let target = ids.count
      var taken: [String] = []
      while taken.count < 10 { taken += try await subscription.take(1) }
      #expect(taken == Array(ids[(target - 10)...]))
      live.gateway.endStreams("")
    }
  }

  @Test func `A new epoch is one resync, and events continue`() async throws {
    let live = Live()
    let subscription = live.events.subscribe(topics: [.post("1")])
    try await subscription.begin()
    let first = live.gateway.emit("post:1")
    #expect(try await subscription.take(1) == [first])
    live.gateway.beginEpoch()
    live.gateway.endStreams()
    #expect(try await subscription.take(1) == ["resync"])
    let next = live.gateway.emit("post:1")
    #expect(try await subscription.take(1) == [next])
  }

  @Test func `A silent connection is replaced`() async throws {
    let live = Live()
    let subscription = live.events.subscribe(topics: [.post("1")])
    try await subscription.begin()
    let first = live.gateway.emit("post:1")
    #expect(try await subscription.take(1) == [first])
    // The connection is half-open: nothing arrives, without an error.
    live.gateway.state.withLock { $0.streams = [:] }
    let second = live.gateway.emit("post:1")
    let reading = Task { try await subscription.take(1) }
    #expect(
      await eventually {
        live.clock.advance(by: .seconds(41))
        return live.gateway.requests.filter { $0.hasPrefix("stream") }.count > 1
      })
    #expect(try await reading.value == [second])
  }

  @Test func `An unreadable event is a resync`() async throws {
    let live = Live()
    let subscription = live.events.subscribe(topics: [.post("1")])
    try await subscription.begin()
    #expect(await eventually { live.gateway.openStreams == 1 })
    live.gateway.send(text: "id: \(live.gateway.now)\nevent: like.created\ndata: {\"created_at\": \"never\"}\n\n")
    #expect(try await subscription.take(1) == ["resync"])
    let next = live.gateway.emit("post:1")
    #expect(try await subscription.take(1) == [next])
  }
}

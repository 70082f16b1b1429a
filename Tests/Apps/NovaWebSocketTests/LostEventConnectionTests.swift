import NovaCore
import NovaEvents
import NovaTestSupport
import NovaTesting
import NovaWebSocket
import Testing

/// The protocol over which events arrive.
enum EventProtocol: CaseIterable, Sendable {
  case serverSentEvents, webSocket
}

/// Even if real connections are lost, a subscription delivers each event once and in order, or a resync.
@Suite(.hangLimit) struct LostEventConnectionTests {
  private static let positions = 0..<1200
  private static let groups = stride(from: 0, to: positions.count, by: 60).map { positions[$0..<($0 + 60)] }

  private struct World {
    let gateway: FaultyGateway
    let events: EventService
    let clock: ManualClock
  }

  /// Runs `body` for each cut, each time with a new client of the same gateway.
  private func forEach(
    _ cuts: some Sequence<Int>, over kind: EventProtocol, limits: WebSocketLimits = quiet, random: Double = 0,
    _ body: (World, Int) async throws -> Void
  ) async throws {
    let gateway = FaultyGateway()
    try await withTransport(to: gateway.script) { transport, server in
      for cut in cuts {
        gateway.plan([])
        let clock = ManualClock()
        let client = try APIClient.test(
          transport, baseURL: server.url(""), token: nil, clock: random > 0 ? clock : BriefWaitClock(clock),
          random: { random })
        let events = EventService(client: client)
        if kind == .webSocket { events.useWebSocket(limits: limits) }
        do { try await body(World(gateway: gateway, events: events, clock: clock), cut) } catch {
          await events.disconnect()
          throw error
        }
        await events.disconnect()
        try await waitUntil { gateway.openLines == 0 }
      }
    }
  }

  /// Checks that four events are delivered over connections that fail as planned.
  private func expectEachOnce(in world: World, plans: [FaultyGateway.Plan], _ comment: String) async throws {
    world.gateway.plan(plans)
    let subscription = world.events.subscribe(topics: [.post("1")])
    try await subscription.begin()
    // Events that happened before would be listed, and would not arrive over the connection.
    try await waitUntil { world.events.state == .live }
    let ids = (0..<3).map { _ in world.gateway.emit("post:1") }
    let taken = try await subscription.take(2)
    let last = world.gateway.emit("post:1")
    let all = taken + (try await subscription.take(2))
    #expect(all == ids + [last], "\(comment)")
    subscription.cancel()
  }

  @Test(arguments: EventProtocol.allCases, groups)
  func aConnectionCanBeLostAtEveryByte(_ kind: EventProtocol, _ cuts: Range<Int>) async throws {
    try await forEach(TestDepth.cases(cuts, sample: 12), over: kind) { world, cut in
      let plans = [
        FaultyGateway.Plan(limit: cut, failure: cut % 2 == 0 ? .lost : .reset), .init(limit: cut * 2),
      ]
      try await expectEachOnce(in: world, plans: plans, "cut after \(cut) bytes")
    }
  }

  @Test(arguments: EventProtocol.allCases)
  func messagesCanBeSplitAtEveryByte(_ kind: EventProtocol) async throws {
    try await forEach(stride(from: 0, to: Self.positions.count, by: 13), over: kind) { world, cut in
      try await expectEachOnce(
        in: world, plans: [.init(limit: cut, chunkSize: 1), .init(chunkSize: 1)], "cut after \(cut) bytes")
    }
  }

  /// Checks that the positions above cover all bytes of a connection.
  @Test(arguments: EventProtocol.allCases)
  func thePositionsAreThoseOfAllBytes(_ kind: EventProtocol) async throws {
    try await forEach([0], over: kind) { world, _ in
      let subscription = world.events.subscribe(topics: [.post("1")])
      try await subscription.begin()
      try await waitUntil { world.events.state == .live }
      let ids = (0..<4).map { _ in world.gateway.emit("post:1") }
      #expect(try await subscription.take(4) == ids)
      #expect((Self.positions.count / 2..<Self.positions.count).contains(world.gateway.sent), "\(world.gateway.sent)")
    }
  }

  @Test(arguments: EventProtocol.allCases) func repeatedEventsAreDeliveredOnce(_ kind: EventProtocol) async throws {
    try await forEach([0], over: kind) { world, _ in
      let plan = FaultyGateway.Plan(repeats: true)
      world.gateway.plan([plan, plan, plan])
      let subscription = world.events.subscribe(topics: [.post("1")])
      try await subscription.begin()
      for _ in 0..<3 {
        try await waitUntil { world.gateway.openLines == 1 && world.events.state == .live }
        let ids = (0..<10).map { _ in world.gateway.emit("post:1") }
        #expect(try await subscription.take(10) == ids)
        world.gateway.endLines(onPurpose: false)
      }
    }
  }

  /// Events that were listed without a connection are not delivered again if a later connection repeats them.
  @Test(arguments: EventProtocol.allCases) func listedEventsAreDeliveredOnce(_ kind: EventProtocol) async throws {
    try await forEach([0], over: kind, random: 1) { world, _ in
      world.gateway.plan([.init(limit: 20), .init(repeats: true)])
      let ids = (0..<5).map { _ in world.gateway.emit("post:1") }
      let subscription = world.events.subscribe(topics: [.post("1")], after: "1:0")
      try await subscription.begin()
      try await waitUntil { world.events.state == .offline && world.gateway.lineCount == 1 }
      #expect(try await subscription.take(5) == ids)
      // Only the connection has a pause now; the reader waits for the connection.
      let reading = Task { try await subscription.take(1) }
      try await waitUntil {
        world.clock.advance(by: .seconds(2))
        return world.gateway.openLines == 1 && world.events.state == .live
      }
      let last = world.gateway.emit("post:1")
      #expect(try await reading.value == [last])
    }
  }

  /// Disconnecting ends a hanging connect at once, during the handshake and before the topics are accepted.
  @Test(arguments: EventProtocol.allCases) func disconnectingEndsAConnect(_ kind: EventProtocol) async throws {
    try await forEach([0, 30, 169, 200], over: kind) { world, limit in
      world.gateway.plan([.init(limit: limit, failure: .silence)])
      let before = world.gateway.lineCount
      let subscription = world.events.subscribe(topics: [.post("1")])
      try await subscription.begin()
      try await waitUntil { world.gateway.lineCount > before }
      await world.events.disconnect()
      #expect(try await subscription.take(1) == [])
    }
  }

  /// Topics are added while a connection is lost, either to the open connection or to its replacement.
  @Test(arguments: EventProtocol.allCases)
  func topicsCanBeAddedWhileAConnectionIsLost(_ kind: EventProtocol) async throws {
    try await forEach(TestDepth.cases(stride(from: 150, to: 900, by: 7), sample: 30), over: kind) { world, cut in
      world.gateway.plan([.init(limit: cut), .init(limit: cut + 3)])
      let (one, two) = (world.events.subscribe(topics: [.post("1")]), world.events.subscribe(topics: [.post("2")]))
      try await one.begin()
      let first = world.gateway.emit("post:1")
      try await two.begin()
      let ids = ["post:2", "post:1", "post:2"].map { world.gateway.emit($0) }
      #expect(try await one.take(2) == [first, ids[1]], "cut after \(cut) bytes")
      #expect(try await two.take(2) == [ids[0], ids[2]], "cut after \(cut) bytes")
    }
  }

  /// A new epoch causes one resync, even if the connection that reports it is lost, at any byte.
  @Test(arguments: EventProtocol.allCases, [true, false])
  func aNewEpochIsOneResync(_ kind: EventProtocol, isOnPurpose: Bool) async throws {
    try await forEach(TestDepth.cases(0..<320, sample: 40), over: kind) { world, cut in
      let subscription = world.events.subscribe(topics: [.post("1")])
      try await subscription.begin()
      try await waitUntil { world.events.state == .live }
      let first = world.gateway.emit("post:1")
      #expect(try await subscription.take(1) == [first])
      world.gateway.beginEpoch()
      world.gateway.plan([.init(limit: cut)])
      world.gateway.endLines(onPurpose: isOnPurpose)
      #expect(try await subscription.take(1) == ["resync"], "cut after \(cut) bytes")
      let next = world.gateway.emit("post:1")
      #expect(try await subscription.take(1) == [next], "cut after \(cut) bytes")
    }
  }

  /// The connection falls silent in the head of the response, after it, within a message, and between messages.
  @Test(arguments: EventProtocol.allCases, [quiet, WebSocketLimits()])
  func aSilentConnectionIsReplaced(_ kind: EventProtocol, _ limits: WebSocketLimits) async throws {
    try await forEach([0, 30, 170, 200, 230, 300, 400, 600], over: kind, limits: limits) { world, limit in
      world.gateway.plan([.init(limit: limit, failure: .silence)])
      let before = world.gateway.lineCount
      let subscription = world.events.subscribe(topics: [.post("1")])
      try await subscription.begin()
      try await waitUntil { world.gateway.lineCount > before }
      let ids = (0..<6).map { _ in world.gateway.emit("post:1") }
      let reading = Task { try await subscription.take(6) }
      try await waitUntil {
        world.clock.advance(by: .seconds(41))
        return world.gateway.lineCount > before + 1
      }
      #expect(try await reading.value == ids, "silent after \(limit) bytes")
    }
  }
}

extension EventSubscription {
  /// The next updates, as IDs or `resync`.
  fileprivate func take(_ count: Int) async throws -> [String] {
    var taken: [String] = []
    for try await update in self {
      switch update {
      case .event(let event): taken.append(event.id)
      case .resync: taken.append("resync")
      }
      if taken.count == count { break }
    }
    return taken
  }
}

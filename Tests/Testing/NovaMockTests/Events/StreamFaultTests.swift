import NovaCore
import NovaEvents
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@Suite(.hangLimit) struct StreamFaultTests {
  private let world = EventWorld()

  private func stream(_ fault: String, after: String? = nil) async throws -> EventStream {
    try await world.stream(["user:ann"], after: after, headers: ["Nova-Fault": fault])
  }

  @Test func eventsAreDuplicated() async throws {
    let start = world.backend.eventPosition
    for number in 1...3 { try world.follow("ann", "user-\(number)") }
    let ids = world.backend.recentEvents.map(\.id)
    #expect(try await stream("duplicate", after: start).events(6).map(\.id) == ids.flatMap { [$0, $0] })
  }

  @Test func aStalledStreamGoesOn() async throws {
    let stream = try await stream("stall 40s")
    _ = try await stream.next()
    _ = try await stream.next()
    try world.follow("ann", "bob")
    let clock = world.clock
    let mover = Task {
      while !Task.isCancelled {
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(10))
      }
    }
    #expect(try await stream.event()?.type == "follow.created")
    mover.cancel()
    #expect(clock.elapsed >= .seconds(40))
  }

  @Test func aConnectionIsCut() async throws {
    let start = world.backend.eventPosition
    for number in 1...3 { try world.follow("ann", "user-\(number)") }
    let response = try await world.response(
      ["user:ann"], after: start, headers: ["Nova-Fault": "cut 100"])
    var received: [UInt8] = []
    let error = await #expect(throws: TransportError.self) {
      for try await chunk in response.body { received += chunk }
    }
    #expect(error?.kind == .connectionLost && received.count == 100)
  }

  @Test func aHalfOpenStreamIsSilent() async throws {
    let response = try await world.response(["user:ann"], headers: ["Nova-Fault": "half-open 20"])
    let received = Locked([UInt8]())
    let reader = Task { for try await chunk in response.body { received.withLock { $0 += chunk } } }
    while received.withLock({ $0.count }) < 20, !Task.isCancelled { await Task.yield() }
    try world.follow("ann", "bob")
    world.clock.advance(by: .seconds(3600))
    #expect(received.withLock { $0.count } == 20)
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
  }

  @Test func aNewEpochForgetsTheEvents() async throws {
    try world.follow("ann", "bob")
    let position = world.backend.eventPosition
    #expect(try await stream("new epoch", after: position).event()?.type == "reset")
    #expect(world.backend.recentEvents.isEmpty)
  }
}

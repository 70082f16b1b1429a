import NovaAuth
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMock

/// When a quiet stream has signs of life, and what else its timer does.
@Suite(.hangLimit) struct HeartbeatTests {
  private let world = EventWorld()

  /// Reads a stream in a task of its own, and counts its signs of life.
  private func read(
    _ response: HTTPResponse
  ) -> (signs: @Sendable () -> Int, end: @Sendable () -> String?, task: Task<Void, any Error>) {
    let (signs, end) = (Locked(0), Locked<String?>(nil))
    let task = Task {
      for try await item in ServerSentEvents(response.body) {
        switch item {
        case .comment: signs.withLock { $0 += 1 }
        case .event(let event): end.withLock { $0 = event.data }
        default: break
        }
      }
    }
    return ({ signs.withLock { $0 } }, { end.withLock { $0 } }, task)
  }

  /// Advances the clock in small steps, and lets the timer do at each step what it has to do.
  private func advance(by duration: Duration) async {
    for _ in 0..<Int(duration / .milliseconds(250)) {
      await world.clock.waitForSleepers()
      world.clock.advance(by: .milliseconds(250))
    }
    await world.clock.waitForSleepers()
  }

  /// The contract requires one at least every 15 s, and a timer can be late.
  @Test func aSignComesWithAMargin() async throws {
    let stream = read(try await world.response(["user:ann"]))
    for count in 1...3 {
      await advance(by: .seconds(12))
      #expect(stream.signs() == count - 1)
      await advance(by: .milliseconds(2500))
      try await waitUntil { stream.signs() == count }
    }
    stream.task.cancel()
  }

  @Test(arguments: [nil, 3600]) func anExpiredTokenEndsTheStreamWithoutHeartbeats(_ seconds: Int?) async throws {
    world.backend.eventSettings.heartbeat = seconds.map { .seconds($0) }
    let (_, token) = try world.user("ann")
    let stream = read(try await world.response(["me"], token: token))
    world.mock.advance(seconds: 3600)
    // Keeps the timer when the stream has ended.
    let other = try world.backend.subscription(headers: [:], clock: world.clock)
    await advance(by: .seconds(2))
    try await waitUntil { stream.end() == #"{"reason":"token_expired"}"# }
    withExtendedLifetime(other) {}
  }

  @Test func changedSettingsApplyAtOnce() async throws {
    world.backend.eventSettings.heartbeat = .seconds(3600)
    let stream = read(try await world.response(["user:ann"]))
    await world.clock.waitForSleepers()
    world.backend.eventSettings.heartbeat = .seconds(2)
    await advance(by: .seconds(2))
    try await waitUntil { stream.signs() == 1 }
    world.backend.eventSettings.heartbeat = nil
    await advance(by: .seconds(40))
    #expect(stream.signs() == 1)
    world.backend.eventSettings.heartbeat = .milliseconds(500)
    await advance(by: .seconds(1))
    try await waitUntil { stream.signs() >= 2 }
    stream.task.cancel()
  }

  /// A reader that waits when its first topics come has them at once, with nothing else to wake it.
  @Test func aReaderThatWaitsGetsTheEventsOfItsNewTopics() async throws {
    world.backend.eventSettings.heartbeat = nil
    let start = world.backend.eventPosition
    try world.follow("ann", "bob")
    let subscriber = try world.backend.subscription(headers: [:], clock: world.clock)
    let reader = Task { try await subscriber.next() }
    try await waitUntil { world.backend.events.hasWaiter }
    try subscriber.subscribe(to: ["user:ann"], after: start)
    #expect(try await reader.value?.count == 1)
  }
}

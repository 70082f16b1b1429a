import NovaAnalytics
import NovaCore
import NovaSDK
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaTracking

@Suite(.hangLimit) struct EventTrackerTests {
  private let scene: TrackerScene

  init() throws { scene = try TrackerScene() }

  @Test func eventsAreSentInBatches() async throws {
    let (tracker, client) = try scene.connected {
      $0.flushInterval = .seconds(3600); $0.batchCount = 500
    }
    tracker.track(0..<1200)
    await tracker.flush()
    #expect(scene.gateway.requests.map(\.events.count).reduce(0, +) == 1200)
    #expect(scene.gateway.requests.allSatisfy { $0.events.count <= 500 && $0.sentAtMs == 1_764_583_200_000 })
    let events = scene.gateway.events
    #expect(events.map { $0.properties["number"] } == (0..<1200).map { "\($0)" })
    #expect(events.map(\.sequence) == Array(1...1200))
    #expect(Set(events.map(\.id)).count == 1200)
    #expect(events.allSatisfy { $0.occurredAtMs == 1_764_583_200_000 && !$0.anonymousId.isEmpty })
    #expect(Set(events.map(\.sessionId)).count == 1)
    let status = await tracker.status
    #expect(status.waitingCount == 0 && status.sentCount == 1200 && status.lastError == nil)
    withExtendedLifetime(client) {}
  }

  @Test func aFullBatchIsSentAtOnce() async throws {
    let (tracker, client) = try scene.connected { $0.batchCount = 10 }
    tracker.track(0..<10)
    try await scene.wait("10 events") { scene.gateway.events.count == 10 }
    withExtendedLifetime(client) {}
  }

  @Test func manyBytesAreSentAtOnce() async throws {
    let (tracker, client) = try scene.connected { $0.batchBytes = 3000 }
    for _ in 0..<4 { tracker.track("event", properties: ["source": String(repeating: "x y ", count: 250)]) }
    try await scene.wait("events") { scene.gateway.events.count == 4 }
    #expect(scene.gateway.requests.map(\.events.count).max() ?? 0 <= 2)
    withExtendedLifetime(client) {}
  }

  @Test func aFewEventsWaitForOthers() async throws {
    let (tracker, client) = try scene.connected()
    tracker.track(0..<2)
    await tracker.waitUntilWritten()
    await scene.clock.waitForSleepers(1)
    scene.clock.advance(by: .seconds(29))
    #expect(scene.gateway.requests.isEmpty)
    scene.clock.advance(by: .seconds(1))
    try await scene.wait("2 events") { scene.gateway.events.count == 2 }
    // With nothing to send, nothing is scheduled.
    try await scene.wait("no sleeper") { scene.clock.sleeperCount == 0 }
    withExtendedLifetime(client) {}
  }

  @Test func eventsOfAnEarlierRunAreSent() async throws {
    let first = scene.tracker()
    first.track(0..<3)
    await first.waitUntilWritten()
    let (tracker, client) = try scene.connected()
    await scene.clock.waitForSleepers(1)
    tracker.track(3..<5)
    await tracker.flush()
    #expect(scene.gateway.events.map(\.sequence) == [1, 2, 3, 4, 5])
    #expect(Set(scene.gateway.events.map(\.anonymousId)).count == 1)
    #expect(Set(scene.gateway.events.map(\.sessionId)).count == 2)
    withExtendedLifetime(client) {}
  }

  @Test func nothingIsCreatedBeforeTheFirstEvent() async throws {
    let (tracker, client) = try scene.connected()
    await tracker.flush()
    #expect(await tracker.status.waitingCount == 0)
    #expect(scene.folder.names.isEmpty)
    withExtendedLifetime(client) {}
  }

  @Test func theServiceTracks() async throws {
    let tracker = scene.tracker()
    let nova = NovaClient(configuration: .builtIn, transport: scene.gateway) { $0.tracker = tracker }
    nova.analytics.track("post_opened", properties: ["source": "feed"])
    nova.analytics.track("app_closed")
    // Shutting down flushes.
    await nova.shutdown()
    #expect(scene.gateway.events.map(\.name) == ["post_opened", "app_closed"])
    // Without a tracker, tracking has no effect; after the shutdown, events are stored but not sent.
    NovaClient.mock().analytics.track("post_opened")
    nova.analytics.track("too_late")
    await tracker.flush()
    #expect(await tracker.status.waitingCount == 1)
  }

  @Test(arguments: [
    ("a", true), ("post_opened_2", true), ("a" + String(repeating: "b", count: 63), true), ("", false), ("A", false),
    ("_a", false), ("2a", false), ("post-opened", false), ("ä", false),
    ("a" + String(repeating: "b", count: 64), false),
  ])
  func namesAreChecked(_ name: String, _ isValid: Bool) async throws {
    let tracker = scene.tracker()
    tracker.track(name)
    let status = await tracker.status
    #expect(status.waitingCount == (isValid ? 1 : 0))
    #expect(status.rejectedCount == (isValid ? 0 : 1))
  }

  @Test func tenThousandConcurrentCallsAreCountedOnce() async throws {
    let (tracker, client) = try scene.connected { $0.batchCount = 500 }
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<100 { group.addTask { tracker.track(task * 100..<(task + 1) * 100) } }
    }
    await tracker.flush()
    let events = scene.gateway.events
    #expect(events.count == 10_000 && Set(events.map(\.id)).count == 10_000)
    #expect(Set(events.compactMap { $0.properties["number"] }).count == 10_000)
    #expect(events.map(\.sequence) == Array(1...10_000))
    let status = await tracker.status
    #expect(status.sentCount == 10_000 && status.lostCount == 0)
    withExtendedLifetime(client) {}
  }

  @Test func trackersEndWithTheirLastReference() async throws {
    weak var weakTracker: EventTracker?
    var client: APIClient?
    do {
      let (tracker, connected) = try scene.connected()
      (weakTracker, client) = (tracker, connected)
      tracker.track(0..<1)
      await scene.clock.waitForSleepers(1)
    }
    try await scene.wait("the end") { weakTracker == nil }
    try await scene.wait("no sleeper") { scene.clock.sleeperCount == 0 }
    withExtendedLifetime(client) {}
  }

  @Test func aFlushHasATimeLimit() async throws {
    let (tracker, client) = try scene.connected()
    scene.gateway.answer { _, _ in
      try await Task.sleep(for: .seconds(3600))
      return nil
    }
    tracker.track(0..<2)
    await tracker.waitUntilWritten()
    async let flushed: Void = tracker.flush()
    try await scene.wait("a request") { scene.gateway.requests.count == 1 }
    scene.clock.advance(by: .seconds(5))
    await flushed
    scene.gateway.answer { _, _ in nil }
    #expect(await tracker.status.waitingCount == 2)
    await tracker.flush()
    #expect(scene.gateway.events.count == 2)
    withExtendedLifetime(client) {}
  }
}

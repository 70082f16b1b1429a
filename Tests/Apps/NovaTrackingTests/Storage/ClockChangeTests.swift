import NovaAnalytics
import NovaCore
import NovaSQLite
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaTracking

/// Events tracked while the machine's clock is wrong.
@Suite(.hangLimit) struct ClockChangeTests {
  private static let real = 1_764_583_200.0
  private static let day: Int64 = 86_400_000

  /// A clock whose time of day can be set without affecting its instants.
  private final class SetClock: CallClock {
    let base = ManualClock(unixTime: 0)
    private let offset: Locked<Double>

    init(_ unixTime: Double) { offset = Locked(unixTime) }

    func set(_ unixTime: Double) { offset.withLock { $0 = unixTime - base.unixTime } }
    var unixTime: Double { base.unixTime + offset.withLock { $0 } }
    var now: ContinuousClock.Instant { base.now }
    var minimumResolution: Duration { base.minimumResolution }
    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
      try await base.sleep(until: deadline, tolerance: tolerance)
    }
  }

  /// The clock is set after the start, as on a machine without a battery, or set back and forth.
  @Test(arguments: [5, 1_500_000_000, real - 40 * 86_400, real + 4000 * 86_400])
  func theAgeIsMeasuredByAClockThatCannotBeSet(wrong: Double) async throws {
    let scene = try TrackerScene()
    let clock = SetClock(wrong)
    var options = TrackingOptions()
    options.allowedProperties = ["number"]
    let tracker = EventTracker(directory: scene.directory, options: options, clock: clock, random: { 1 })
    tracker.track(0..<2)
    await tracker.waitUntilWritten()
    clock.base.advance(by: .seconds(60))
    clock.set(Self.real)
    tracker.track(2..<4)
    let client = try APIClient.test(scene.gateway, tokens: StoredToken(), clock: clock)
    tracker.use(client)
    _ = await tracker.sendAll()
    let events = scene.gateway.events
    // In the order in which they were tracked.
    #expect(events.compactMap { $0.properties["number"] } == ["0", "1", "2", "3"])
    #expect(events.map(\.sequence) == events.map(\.sequence).sorted())
    #expect(await tracker.status.lostCount == 0)
  }

  /// Events expire on time even if the clock is wrong.
  @Test func theyExpireInTime() async throws {
    let scene = try TrackerScene()
    let clock = SetClock(Self.real + 1e9)
    var options = TrackingOptions()
    options.retention = .seconds(100)
    let tracker = EventTracker(directory: scene.directory, options: options, clock: clock, random: { 1 })
    tracker.track(0..<2)
    await tracker.waitUntilWritten()
    clock.base.advance(by: .seconds(101))
    clock.set(Self.real)
    let client = try APIClient.test(scene.gateway, tokens: StoredToken(), clock: clock)
    tracker.use(client)
    _ = await tracker.sendAll()
    #expect(scene.gateway.events.isEmpty)
    #expect(await tracker.status.lost == [.expired: 2])
  }

  /// What is known about an event, and whether it is too old. Retention: 30 days.
  @Test func eventsOfEarlierStartsAreDatedByTheTimeOfDay() throws {
    let folder = try TemporaryFolder()
    let now = Int64(Self.real * 1000)
    let uptime = Uptime(boot: "now", milliseconds: 50 * Self.day)
    let cases: [(name: String, occurred: Int64, boot: String, uptime: Int64, isKept: Bool)] = [
      ("same start, right clock", now - Self.day, "now", 49 * Self.day, true),
      ("same start, 1970", 5000, "now", 49 * Self.day, true),
      ("same start, the future, old", now + 900 * Self.day, "now", 10 * Self.day, false),
      ("same start, right clock, old", now - 31 * Self.day, "now", 19 * Self.day, false),
      ("earlier start, young", now - Self.day, "before", 60 * Self.day, true),
      ("earlier start, old", now - 31 * Self.day, "before", 0, false),
      ("earlier start, 1970", 5000, "before", 0, true),
      ("earlier start, the future", now + 900 * Self.day, "before", 0, true),
      ("no start, old", now - 31 * Self.day, "", 0, false), ("no start, young", now - Self.day, "", 0, true),
    ]
    for test in cases {
      let path = "\(folder.path)/\(test.name).db"
      let database = try AnalyticsDatabase(opening: path)
      var event = TrackedEvent(event: .init(id: "1", name: "e", occurredAtMs: test.occurred))
      event.uptime = Uptime(boot: test.boot, milliseconds: test.uptime)
      try database.transaction { try database.insert([event]) }
      let removed = try database.removeEvents(olderThan: 30 * Self.day, at: now, uptime)
      #expect((removed == 0) == test.isKept, "\(test.name)")
      guard test.isKept, test.boot != "now" else { continue }
      // Its age starts now, and continues after later restarts.
      let later = Uptime(boot: "later", milliseconds: 0)
      #expect(try database.removeEvents(olderThan: 30 * Self.day, at: now + 31 * Self.day, later) == 1, "\(test.name)")
    }
  }

  /// While the clock has not been set, no event gets a start of its age.
  @Test func aClockThatIsNotSetYetRemovesNothing() throws {
    let folder = try TemporaryFolder()
    let database = try AnalyticsDatabase(opening: "\(folder.path)/test.db")
    let now = Int64(Self.real * 1000)
    var event = TrackedEvent(event: .init(id: "1", name: "e", occurredAtMs: now - 29 * Self.day))
    event.uptime = Uptime(boot: "before", milliseconds: 5)
    try database.transaction { try database.insert([event]) }
    let uptime = Uptime(boot: "now", milliseconds: 1000)
    #expect(try database.removeEvents(olderThan: 30 * Self.day, at: 5000, uptime) == 0)
    #expect(try database.removeEvents(olderThan: 30 * Self.day, at: now, uptime) == 0)
    #expect(try database.removeEvents(olderThan: 30 * Self.day, at: now + 2 * Self.day, uptime) == 1)
  }
}

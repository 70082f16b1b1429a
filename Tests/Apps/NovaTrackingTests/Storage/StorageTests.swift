import NovaAnalytics
import NovaCore
import NovaSQLite
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaTracking

/// Limits, and databases that cannot be used.
@Suite(.hangLimit) struct StorageTests {
  private let scene: TrackerScene

  init() throws { scene = try TrackerScene() }

  private func numbers(_ tracker: EventTracker) async -> [String] {
    await tracker.waitingEvents(limit: 10_000).compactMap { $0.properties["number"] }
  }

  @Test func theOldestAreDropped() async throws {
    let tracker = scene.tracker { $0.maximumEvents = 5 }
    for number in 0..<12 {
      tracker.track(number..<number + 1)
      if number % 3 == 0 { await tracker.waitUntilWritten() }
    }
    #expect(await numbers(tracker) == (7..<12).map { "\($0)" })
    let status = await tracker.status
    #expect(status.waitingCount == 5 && status.lost == [.full: 7])
  }

  @Test func theOldestBytesAreDropped() async throws {
    let tracker = scene.tracker { $0.maximumBytes = 10_000 }
    for _ in 0..<100 { tracker.track("event", properties: ["source": String(repeating: "x ", count: 400)]) }
    let status = await tracker.status
    #expect((1...12).contains(status.waitingCount) && status.waitingCount + status.lostCount == 100)
  }

  @Test func aQueueKeepsTheNewest() {
    var queue = AnalyticsQueue(maximumCount: 7, maximumBytes: 1 << 20)
    var dropped = 0
    for number in 0..<100 {
      dropped += queue.append(TrackedEvent(event: AnalyticsEvent(id: "\(number)", name: "e", sequence: Int64(number))))
    }
    #expect(dropped == 93 && queue.count == 7 && queue.all.map(\.event.id) == (93..<100).map { "\($0)" })
    queue.remove(Set(93...95))
    #expect(queue.all.map(\.event.id) == (96..<100).map { "\($0)" })
    #expect(queue.removeAll().count == 4 && queue.isEmpty && queue.byteCount == 0)
  }

  @Test func oldEventsExpire() async throws {
    let (tracker, client) = try scene.connected { $0.retention = .seconds(100) }
    tracker.track(0..<2)
    scene.clock.advance(by: .seconds(101))
    tracker.track(2..<3)
    await tracker.flush()
    #expect(scene.gateway.events.compactMap { $0.properties["number"] } == ["2"])
    #expect(await tracker.status.lost == [.expired: 2])
    withExtendedLifetime(client) {}
  }

  @Test func filesAreOfThisUserOnly() async throws {
    let tracker = scene.tracker()
    tracker.track(0..<1)
    await tracker.waitUntilWritten()
    #expect(scene.folder.names == ["analytics"])
    #expect(FileMode.of(scene.directory) == 0o700 && FileMode.of(scene.database) == 0o600)
  }

  // MARK: Damage

  private func fill(_ count: Int) async {
    let tracker = scene.tracker()
    tracker.track(0..<count)
    await tracker.waitUntilWritten()
  }

  @Test func aDamagedDatabaseIsMovedAside() async throws {
    try TrackingDirectory(path: scene.directory).create()
    _ = try scene.folder.write(Array("this is no database, whatever its name says".utf8), to: "analytics/analytics.db")
    let (tracker, client) = try scene.connected()
    tracker.track(0..<3)
    await tracker.flush()
    #expect(scene.gateway.events.count == 3)
    let status = await tracker.status
    #expect(status.storageProblem?.contains("recreated") == true && status.lost == [.storage: 1])
    let copy = "\(scene.database).corrupt-1764583200"
    #expect(SystemIO.exists(copy))
    #expect(try SystemIO.readFile(copy).map { String(decoding: $0, as: UTF8.self) }?.hasPrefix("this is no") == true)
    // The databases that were moved aside may contain events.
    try await tracker.optOut()
    #expect(!SystemIO.exists(copy))
    withExtendedLifetime(client) {}
  }

  @Test(arguments: [1, 2, 3]) func damagedPagesAreMovedAside(_ page: Int) async throws {
    await fill(300)
    do {
      let connection = try SQLiteConnection(opening: scene.database)
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    var bytes = try scene.folder.bytes("analytics/analytics.db")
    for index in (page * 4096)..<bytes.count { bytes[index] = 0xA5 }
    _ = try scene.folder.write(bytes, to: "analytics/analytics.db")
    let (tracker, client) = try scene.connected()
    for round in 0..<3 {
      tracker.track(round..<round + 1)
      await tracker.flush()
    }
    #expect(await tracker.status.storageProblem?.contains("recreated") == true)
    let numbers = Set(scene.gateway.events.suffix(10).compactMap { $0.properties["number"] })
    #expect(numbers.isSuperset(of: ["1", "2"]), "\(numbers)")
    withExtendedLifetime(client) {}
  }

  /// An unreadable row is removed and counted.
  @Test func unreadableEventsDoNotBlockOthers() async throws {
    await fill(3)
    do {
      let connection = try SQLiteConnection(opening: scene.database)
      try connection.execute("UPDATE tracked_events SET event = 'x' WHERE sequence <> 2")
    }
    let (tracker, client) = try scene.connected { $0.batchCount = 1 }
    await tracker.flush()
    #expect(scene.gateway.events.map(\.sequence) == [2])
    let status = await tracker.status
    #expect(status.lost == [.storage: 2] && status.waitingCount == 0)
    withExtendedLifetime(client) {}
  }

  @Test func aNewerDatabaseIsLeftAlone() async throws {
    await fill(3)
    do { try SQLiteConnection(opening: scene.database).setUserVersion(99) }
    let (tracker, client) = try scene.connected()
    tracker.track(3..<5)
    let waiting = await tracker.status
    #expect(waiting.waitingCount == 2 && waiting.storageProblem?.contains("newer version") == true)
    await tracker.flush()
    #expect(scene.gateway.events.compactMap { $0.properties["number"] } == ["3", "4"])
    #expect(await tracker.status.sentCount == 2)
    let connection = try SQLiteConnection(opening: scene.database)
    #expect(try connection.statement("SELECT count(*) FROM tracked_events").firstRow { $0.int(0) } == 3)
    withExtendedLifetime(client) {}
  }

  // MARK: No directory

  @Test func withoutADirectoryEventsAreInMemory() async throws {
    _ = try scene.folder.write("a file in the place of the directory", to: "analytics")
    let (tracker, client) = try scene.connected { $0.maximumEvents = 10 }
    tracker.track(0..<12)
    let status = await tracker.status
    #expect(status.waitingCount == 10 && status.lost == [.full: 2])
    #expect(status.storageProblem?.contains("cannot use \(scene.directory)") == true)
    await tracker.flush()
    #expect(scene.gateway.events.map(\.sequence).count == 10 && Set(scene.gateway.events.map(\.sequence)).count == 10)
    let sent = await tracker.status
    #expect(sent.waitingCount == 0 && sent.sentCount == 10)
    withExtendedLifetime(client) {}
  }

  /// As soon as the directory can be used, events in memory are stored there.
  @Test func eventsMoveToTheDiskWhenTheyCan() async throws {
    _ = try scene.folder.write("a file in the place of the directory", to: "analytics")
    let tracker = scene.tracker()
    tracker.track(0..<2)
    await tracker.waitUntilWritten()
    FileMode.remove(scene.directory)
    tracker.track(2..<3)
    await tracker.waitUntilWritten()
    #expect(await numbers(scene.tracker()) == ["0", "1", "2"])
    #expect(await tracker.status.waitingCount == 3)
  }
}

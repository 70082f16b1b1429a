import NovaAnalytics
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaTracking

@Suite(.hangLimit) struct OptOutTests {
  private let scene: TrackerScene

  init() throws { scene = try TrackerScene() }

  private func isInFiles(_ text: String) throws -> Bool {
    for name in SystemIO.fileNames(in: scene.directory) {
      let bytes = try scene.folder.bytes("analytics/\(name)")
      if String(decoding: bytes, as: UTF8.self).contains(text) { return true }
    }
    return false
  }

  @Test func optingOutDeletesWhatWaits() async throws {
    let (tracker, client) = try scene.connected()
    for _ in 0..<90 { tracker.track("visible_name") }
    let before = await tracker.status
    #expect(before.waitingCount == 90 && !before.anonymousID.isEmpty)
    #expect(try isInFiles("visible_name") && isInFiles(before.anonymousID))
    try await tracker.optOut()
    #expect(try !isInFiles("visible_name") && !isInFiles(before.anonymousID))
    tracker.track("visible_name")
    await tracker.flush()
    let status = await tracker.status
    #expect(status.isOptedOut && status.waitingCount == 0 && status.anonymousID.isEmpty && status.lostCount == 0)
    #expect(scene.gateway.requests.isEmpty)

    // Later runs respect the choice, even after the database was deleted.
    FileMode.remove(scene.database)
    let later = scene.tracker()
    later.track("visible_name")
    let laterStatus = await later.status
    #expect(laterStatus.isOptedOut && laterStatus.waitingCount == 0)

    try await tracker.optIn()
    tracker.track("again")
    await tracker.flush()
    #expect(scene.gateway.events.map(\.name) == ["again"])
    #expect(scene.gateway.events.first?.anonymousId != before.anonymousID)
    withExtendedLifetime(client) {}
  }

  @Test func anotherTrackerNoticesIt() async throws {
    let (first, second) = (scene.tracker(), scene.tracker())
    first.track("event")
    second.track("event")
    await first.waitUntilWritten()
    await second.waitUntilWritten()
    try await first.optOut()
    second.track("event")
    #expect(await second.status.isOptedOut)
    #expect(await second.status.waitingCount == 0)
  }

  /// Opting out leaves no events, even if other tasks track at the same time.
  @Test(arguments: 0..<10) func nothingSlipsThrough(_ delay: Int) async throws {
    let tracker = scene.tracker()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for number in 0..<500 {
            tracker.track("event")
            if number % 50 == 0 { await Task.yield() }
          }
        }
      }
      group.addTask {
        for _ in 0..<(delay * 20) { await Task.yield() }
        await #expect(throws: Never.self) { try await tracker.optOut() }
      }
    }
    #expect(await tracker.status.waitingCount == 0)
    #expect(await scene.tracker().waitingEvents(limit: 10).isEmpty)
  }

  @Test func aRequestInProgressIsCancelled() async throws {
    let (tracker, client) = try scene.connected()
    scene.gateway.answer { _, _ in
      try await Task.sleep(for: .seconds(3600))
      return nil
    }
    tracker.track("event")
    async let outcome = tracker.sendAll()
    try await scene.wait("a request") { scene.gateway.requests.count == 1 }
    try await tracker.optOut()
    #expect(await outcome?.error?.code == .cancelled)
    #expect(await tracker.status.waitingCount == 0)
    withExtendedLifetime(client) {}
  }

  @Test func aChoiceThatCannotBeStoredIsAnError() async throws {
    _ = try scene.folder.write("a file in the place of the directory", to: "analytics")
    let tracker = scene.tracker()
    tracker.track("event")
    let error = await #expect(throws: TrackingError.self) { try await tracker.optOut() }
    #expect(error?.description.hasPrefix("cannot opt out completely: the choice could not be stored: ") == true)
    // In this run, the choice counts.
    let status = await tracker.status
    #expect(status.isOptedOut && status.waitingCount == 0)
    tracker.track("event")
    #expect(await tracker.status.waitingCount == 0)
  }
}

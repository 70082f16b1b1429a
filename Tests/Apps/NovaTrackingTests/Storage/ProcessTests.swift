import NovaAnalytics
import NovaCore
import NovaLibc
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaTracking

/// Trackers in separate processes.
@Suite(.hangLimit) struct ProcessTests {
  private let scene: TrackerScene

  init() throws { scene = try TrackerScene() }

  private static func options() -> TrackingOptions {
    var options = TrackingOptions()
    options.allowedProperties = ["number"]
    return options
  }

  @Test func severalProcessesWrite() async throws {
    let directory = scene.directory
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          await #expect(processExitsWith: .success) { [directory = directory as String] in
            let tracker = EventTracker(directory: directory, options: Self.options())
            for number in 0..<300 {
              tracker.track(number..<number + 1)
              if number % 10 == 0 { await tracker.waitUntilWritten() }
            }
            await tracker.waitUntilWritten()
          }
        }
      }
      group.addTask { [self] in
        let tracker = scene.tracker()
        for number in 0..<300 {
          tracker.track(number..<number + 1)
          if number % 10 == 0 { await tracker.waitUntilWritten() }
        }
        await tracker.waitUntilWritten()
      }
    }
    let (tracker, client) = try scene.connected { $0.batchCount = 500 }
    await tracker.flush()
    let events = scene.gateway.events
    #expect(events.count == 900 && Set(events.map(\.id)).count == 900 && events.map(\.sequence) == Array(1...900))
    #expect(Set(events.map(\.anonymousId)).count == 1 && Set(events.map(\.sessionId)).count == 3)
    withExtendedLifetime(client) {}
  }

  /// Written events survive, however the process ends.
  @Test func aKilledProcessLosesNothingThatWasWritten() async throws {
    let directory = scene.directory
    await #expect(processExitsWith: .signal(SIGKILL)) { [directory = directory as String] in
      let tracker = EventTracker(directory: directory, options: Self.options())
      tracker.track(0..<200)
      await tracker.waitUntilWritten()
      tracker.track(200..<5000)
      kill(getpid(), SIGKILL)
    }
    let (tracker, client) = try scene.connected { $0.batchCount = 500 }
    await tracker.flush()
    let numbers = scene.gateway.events.compactMap { $0.properties["number"].flatMap { Int($0) } }
    #expect(numbers.count >= 200 && numbers == Array(0..<numbers.count))
    withExtendedLifetime(client) {}
  }

  #if os(Linux)
    @Test func aFullDiskIsReported() async throws {
      let directory = scene.directory
      await #expect(processExitsWith: .success) { [directory = directory as String] in
        signal(SIGXFSZ, SIG_IGN)
        let tracker = EventTracker(directory: directory, options: Self.options())
        tracker.track(0..<10)
        await tracker.waitUntilWritten()
        var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        tracker.track(10..<5000)
        let status = await tracker.status
        precondition(status.waitingCount == 5000 && status.lostCount == 0, "\(status)")
        precondition(status.storageProblem?.contains("free some space") == true, "\(status)")
        // Events in memory are sent, too. Events that cannot be deleted are not sent again.
        let gateway = AnalyticsGateway()
        let client = try APIClient.test(gateway, token: nil)
        tracker.begin(with: client)
        while await tracker.sendAll()?.sentCount != 0 {}
        precondition(gateway.events.count == 5000, "\(gateway.events.count)")
        precondition(gateway.requests.map(\.events.count).reduce(0, +) == 5000)
        withExtendedLifetime(client) {}
      }
    }
  #endif
}

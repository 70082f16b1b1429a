import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaTracking

/// A directory, a clock that stands still, and a gateway, for trackers of one test.
final class TrackerScene: Sendable {
  let folder: TemporaryFolder
  let clock = ManualClock()
  let gateway = AnalyticsGateway()

  init() throws { folder = try TemporaryFolder() }

  var directory: String { "\(folder.path)/analytics" }
  var database: String { "\(directory)/analytics.db" }

  func tracker(_ change: (inout TrackingOptions) -> Void = { _ in }) -> EventTracker {
    var options = TrackingOptions()
    options.allowedProperties = ["screen", "source", "number"]
    change(&options)
    return EventTracker(directory: directory, options: options, clock: clock, random: { 1 })
  }

  /// A client of the gateway that makes one attempt per call. It is not connected to a tracker.
  func client(_ tokens: any TokenProvider = StoredToken()) throws -> APIClient {
    try APIClient.test(gateway, tokens: tokens, clock: clock)
  }

  /// A tracker, and its client, which the caller must keep.
  func connected(
    _ tokens: any TokenProvider = StoredToken(), _ change: (inout TrackingOptions) -> Void = { _ in }
  ) throws -> (tracker: EventTracker, client: APIClient) {
    let (tracker, client) = (tracker(change), try client(tokens))
    tracker.begin(with: client)
    return (tracker, client)
  }

  /// Waits until something is the case.
  func wait(_ what: String, until isDone: () async -> Bool) async throws {
    for _ in 0..<3000 {
      if await isDone() { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("still waiting: \(what)")
  }
}

extension EventTracker {
  /// Tracks events with the numbers as a property.
  func track(_ numbers: Range<Int>, name: String = "event") {
    for number in numbers { track(name, properties: ["number": "\(number)"]) }
  }
}

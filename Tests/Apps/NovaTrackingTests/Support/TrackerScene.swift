import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaTracking

/// A directory, a manual clock, and a gateway, for the trackers of one test.
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

  /// A client of the gateway that makes one attempt for each call, not connected to a tracker.
  func client(_ tokens: any TokenProvider = StoredToken()) throws -> APIClient {
    try APIClient.test(gateway, tokens: tokens, clock: clock)
  }

  /// A tracker and its client. The caller must keep the client.
  func connected(
    _ tokens: any TokenProvider = StoredToken(), _ change: (inout TrackingOptions) -> Void = { _ in }
  ) throws -> (tracker: EventTracker, client: APIClient) {
    let (tracker, client) = (tracker(change), try client(tokens))
    tracker.begin(with: client)
    return (tracker, client)
  }

  /// Waits until a condition is true.
  func wait(_ what: String, until isDone: () async -> Bool) async throws {
    for _ in 0..<3000 {
      if await isDone() { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("still waiting: \(what)")
  }
}

extension EventTracker {
  /// Tracks one event for each number, with the number as a property.
  func track(_ numbers: Range<Int>, name: String = "event") {
    for number in numbers { track(name, properties: ["number": "\(number)"]) }
  }
}

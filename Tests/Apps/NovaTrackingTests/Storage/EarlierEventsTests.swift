import NovaAnalytics
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaTracking

/// Every version sends the events that earlier versions have stored: see docs/versions.md.
@Suite(.hangLimit) struct EarlierEventsTests {
  @Test(arguments: EarlierFiles.versions) func storedEventsAreSent(_ version: String) async throws {
    let files = try EarlierFiles(version)
    let gateway = AnalyticsGateway()
    // Soon after they were tracked, so that they have not expired.
    let clock = ManualClock(unixTime: Double(try files.time + 60))
    var options = TrackingOptions()
    options.allowedProperties = ["screen"]
    let tracker = EventTracker(directory: files.path("analytics"), options: options, clock: clock, random: { 1 })
    let client = try APIClient.test(gateway, tokens: StoredToken(), clock: clock)
    tracker.use(client)
    _ = await tracker.sendAll()
    #expect(gateway.events.map(\.name) == ["screen_viewed", "screen_viewed", "screen_viewed"])
    #expect(gateway.events.compactMap { $0.properties["screen"] } == ["feed", "profile", "settings"])
    #expect(await tracker.status.lostCount == 0)
  }
}

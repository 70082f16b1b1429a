import NovaAnalytics
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaTracking

/// Who did it, and in which session.
@Suite(.hangLimit) struct IdentityTests {
  private let scene: TrackerScene

  init() throws { scene = try TrackerScene() }

  private func events(_ tracker: EventTracker) async -> [AnalyticsEvent] { await tracker.waitingEvents(limit: 100) }

  @Test func eventsWaitForTheSignIn() async throws {
    let account = try Account(nil)
    let (tracker, client) = try scene.connected(account)
    tracker.track("before")
    await tracker.flush()
    #expect(scene.gateway.requests.isEmpty)
    let status = await tracker.status
    #expect(status.waitingCount == 1 && status.lastError?.contains("nobody is signed in") == true && !status.isSignedIn)
    account.signIn("ada")
    tracker.track("after")
    await tracker.flush()
    let events = scene.gateway.events
    #expect(events.map(\.name) == ["before", "after"] && events.map(\.userId) == [nil, "ada"])
    #expect(events[0].anonymousId == events[1].anonymousId)
    withExtendedLifetime(client) {}
  }

  /// The loop notices the sign-in with the next event, whatever the back-off.
  @Test func theSignInEndsTheBackoff() async throws {
    let account = try Account(nil)
    let (tracker, client) = try scene.connected(account) { $0.batchCount = 1 }
    tracker.track("before")
    try await scene.wait("an error") { await tracker.status.lastError != nil }
    account.signIn("ada")
    tracker.track("after")
    try await scene.wait("both") { scene.gateway.events.count == 2 }
    withExtendedLifetime(client) {}
  }

  @Test func usersAreNotJoined() async throws {
    let account = try Account("ada")
    let (tracker, client) = try scene.connected(account)
    tracker.track("first")
    await tracker.waitUntilWritten()
    await account.signOut()
    tracker.track("nobody")
    await tracker.waitUntilWritten()
    account.signIn("bob")
    tracker.track("second")
    await tracker.waitUntilWritten()
    let events = await events(tracker)
    #expect(events.map(\.userId) == ["ada", nil, "bob"])
    #expect(events[0].anonymousId != events[1].anonymousId && events[1].anonymousId == events[2].anonymousId)
    #expect(events[0].sessionId != events[1].sessionId && events[1].sessionId == events[2].sessionId)
    // The new one is stored, too.
    let later = scene.tracker()
    later.track("later")
    #expect(await self.events(later).last?.anonymousId == events[2].anonymousId)
    withExtendedLifetime(client) {}
  }

  @Test func anotherUserWithoutASignOutIsNotJoined() async throws {
    let account = try Account("ada")
    let (tracker, client) = try scene.connected(account)
    tracker.track("first")
    await tracker.waitUntilWritten()
    account.signIn("bob")
    tracker.track("between")
    await tracker.waitUntilWritten()
    tracker.track("second")
    let events = await events(tracker)
    #expect(events.map(\.userId).last == "bob" && events[0].anonymousId != events[2].anonymousId)
    withExtendedLifetime(client) {}
  }

  @Test func appsWithTokensOfTheirOwnNameTheUser() async throws {
    let (tracker, client) = try scene.connected()
    tracker.setUser("ada")
    tracker.track("first")
    await tracker.waitUntilWritten()
    tracker.track("second")
    tracker.setUser(nil)
    tracker.track("third")
    let events = await events(tracker)
    #expect(events.map(\.userId) == ["ada", "ada", nil] && events[0].anonymousId != events[2].anonymousId)
    withExtendedLifetime(client) {}
  }

  // MARK: Sessions and times

  @Test(arguments: [
    ([0, 1799, 1799], 1), ([0, 1800], 2), ([0, 1799, 1800, 10], 2), ([0, -100_000, 10], 1), ([0, 86_400, -86_400], 2),
    ([0, -100_000, 1800], 2),
  ])
  func sessionsEndWithoutEvents(_ pauses: [Int], _ sessions: Int) async throws {
    let tracker = scene.tracker()
    for pause in pauses {
      scene.clock.advance(by: .seconds(pause))
      tracker.track("event")
    }
    let events = await events(tracker)
    #expect(events.count == pauses.count && Set(events.map(\.sessionId)).count == sessions)
    #expect(await tracker.status.sessionID == events.last?.sessionId)
  }

  /// The gateway rejects times that are not positive.
  @Test(arguments: [-1e300, -5, 0, .nan, .infinity, 1e300])
  func timesAreOfTheContract(_ time: Double) async throws {
    let clock = ManualClock(unixTime: time)
    let tracker = EventTracker(directory: scene.directory, clock: clock)
    tracker.track("event")
    #expect(await events(tracker).allSatisfy { $0.occurredAtMs > 0 })
    let client = try scene.client()
    tracker.begin(with: client)
    await tracker.flush()
    #expect(scene.gateway.events.count == 1)
  }

  @Test func theOrderOutlivesAClockThatGoesBack() async throws {
    let (tracker, client) = try scene.connected()
    tracker.track("first")
    scene.clock.advance(by: .seconds(-100_000))
    tracker.track("second")
    await tracker.flush()
    let events = scene.gateway.events
    #expect(events.map(\.name) == ["first", "second"] && events.map(\.sequence) == [1, 2])
    #expect(events[0].occurredAtMs - events[1].occurredAtMs == 100_000_000)
    withExtendedLifetime(client) {}
  }
}

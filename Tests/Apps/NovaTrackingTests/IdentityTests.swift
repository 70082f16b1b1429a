import Dispatch
import NovaAnalytics
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaTracking

/// The user and the session that events name.
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

  /// After a sign-in, the next event is sent at once, even during the wait after a failure.
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
    withExtendedLifetime(client) {}
  }

  /// The first lookup of the user ends after a sign-out, and returns the user who has signed out.
  @Test func aSignOutDuringTheFirstLookupCounts() async throws {
    let account = SlowAccount("ada")
    let (tracker, client) = try scene.connected(account)
    try await scene.wait("the first look") { account.isAsked }
    await account.signOut()
    account.answer("ada")
    _ = await tracker.ownUser.update()
    #expect(await !tracker.status.isSignedIn)
    tracker.track("nobody")
    await tracker.waitUntilWritten()
    #expect(await tracker.writer.run { $0.callers } == [.anonymous])
    withExtendedLifetime(client) {}
  }

  static let runs: [(first: String?, next: String?, isSameID: Bool)] = [
    ("ada", "ada", true), ("ada", "bob", false), ("ada", nil, false), (nil, "ada", true), (nil, nil, true),
  ]

  /// The stored anonymous ID belongs to one user.
  @Test(arguments: runs) func usersOfLaterRunsAreNotJoined(first: String?, next: String?, isSameID: Bool) async throws {
    var ids: [String?] = []
    for user in [first, next] {
      let (tracker, client) = try scene.connected(try Account(user))
      tracker.track("event")
      ids.append(await events(tracker).last?.anonymousId)
      withExtendedLifetime(client) {}
    }
    #expect(ids[0] != nil && (ids[0] == ids[1]) == isSameID)
  }

  /// Until the sign-in, the next run has not determined whose the stored ID is.
  @Test(arguments: [("ada", true), ("bob", false)])
  func aSignInBeforeTheFirstEventIsNotJoinedWithAnotherUser(user: String, isSameID: Bool) async throws {
    let tracker = scene.tracker(), later = scene.tracker()
    tracker.setUser("ada")
    tracker.track("event")
    let first = await events(tracker).last?.anonymousId
    later.setUser(user)
    later.track("event")
    let next = await events(later).last?.anonymousId
    #expect(next?.isEmpty == false && (first == next) == isSameID)
  }

  /// After `waitUntilWritten`, a sign-out is stored: the next run's events are not joined with the earlier user's.
  @Test func aSignOutIsStored() async throws {
    let (tracker, client) = try scene.connected()
    tracker.setUser("ada")
    tracker.track("first")
    let first = await events(tracker)
    let isReleased = DispatchSemaphore(value: 0)
    tracker.writer.enqueue { _ in isReleased.wait() }
    tracker.setUser(nil)
    async let release: Void = {
      // Enough time for a tracker that would not wait for its storage.
      try? await Task.sleep(for: .milliseconds(20))
      isReleased.signal()
    }()
    await tracker.waitUntilWritten()
    let later = scene.tracker()
    later.track("later")
    #expect(await events(later).last?.anonymousId != first.last?.anonymousId)
    await release
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

  /// Another program in the same directory has given its user the anonymous ID that this program has without a user.
  @Test func anIDThatAnotherUserHasTakenIsReplaced() {
    let directory = TrackingDirectory(path: scene.directory)
    let storages = (0..<2).map { _ in AnalyticsStorage(directory, options: TrackingOptions(), clock: scene.clock) }
    let shared = storages[0].loadAnonymousID(of: .anonymous)
    #expect(storages[1].loadAnonymousID(of: .user("bob")) == shared)
    let replaced = storages[0].loadAnonymousID(of: .user("ada"))
    #expect(replaced != shared && storages[0].loadAnonymousID(of: .user("ada")) == replaced)
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

/// A token provider whose user must be looked up. The test gives the first answer.
private final class SlowAccount: TokenProvider {
  private let account: Sessions
  private let first = Locked<CheckedContinuation<String?, Never>?>(nil)
  private let isFirst = Locked(true)

  init(_ user: String) { account = Sessions(user, isSlow: true) }

  var isAsked: Bool { first.withLock { $0 != nil } }

  func answer(_ user: String?) { first.withLock { $0 }?.resume(returning: user) }

  func accessToken() async throws -> AccessToken? { try await account.accessToken() }

  func currentUser() async throws -> String? {
    let isFirst = isFirst.withLock { isFirst in
      defer { isFirst = false }
      return isFirst
    }
    guard isFirst else { return try await account.currentUser() }
    return await withCheckedContinuation { continuation in first.withLock { $0 = continuation } }
  }

  func onSignOut(_ body: @escaping @Sendable (String) async -> Void) { account.onSignOut(body) }

  func signOut() async { await account.signOut() }
}

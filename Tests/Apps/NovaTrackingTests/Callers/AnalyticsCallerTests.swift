import NovaAnalytics
import NovaCore
import NovaSQLite
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaTracking

/// The callers that events belong to, and the tokens they are sent with.
@Suite(.hangLimit) struct AnalyticsCallerTests {
  private let scene: TrackerScene

  init() throws { scene = try TrackerScene() }

  /// A way to make calls as another caller than the client's.
  enum Way: CaseIterable {
    case token, opaque, header, provider, slowProvider, storedToken

    func options(_ user: String) throws -> CallOptions {
      switch self {
      case .token: CallOptions(token: try .of(user))
      case .opaque: CallOptions(token: try .opaque(user))
      case .header: CallOptions(headers: ["Authorization": "Bearer token-\(user)-1"])
      case .provider: CallOptions(tokens: Sessions(user))
      case .slowProvider: CallOptions(tokens: Sessions(user, isSlow: true))
      case .storedToken: CallOptions(tokens: StoredToken(try .of(user)))
      }
    }

    var namesUser: Bool { self != .opaque && self != .header }
  }

  private func service(_ client: APIClient, _ options: CallOptions) -> AnalyticsService {
    AnalyticsService(client: client, options: options)
  }

  private func tracking(
    _ tokens: any TokenProvider, _ change: (inout TrackingOptions) -> Void = { _ in }
  ) throws -> (tracker: EventTracker, client: APIClient) {
    let tracker = scene.tracker(change)
    return (tracker, try APIClient.test(scene.gateway, tokens: tokens, tracker: tracker, clock: scene.clock))
  }

  @Test(arguments: Way.allCases) func eventsAreTheirCallers(_ way: Way) async throws {
    let (tracker, client) = try tracking(Sessions("ada"))
    service(client, CallOptions()).track("own")
    service(client, try way.options("bob")).track("bobs")
    service(client, try way.options("cleo")).track("cleos")
    await tracker.flush()
    let gateway = scene.gateway
    #expect(gateway.bringers(of: "own") == ["ada"])
    #expect(gateway.bringers(of: "bobs") == ["bob"] && gateway.bringers(of: "cleos") == ["cleo"])
    let events = gateway.events
    #expect(events.first { $0.name == "own" }?.userId == "ada")
    #expect(events.first { $0.name == "bobs" }?.userId == (way.namesUser ? "bob" : nil))
    #expect(Set(events.map(\.sessionId)).count == 3 && Set(events.map(\.anonymousId)).count == 3)
    #expect(await tracker.status.waitingCount == 0)
  }

  /// The task in the background also sends these events.
  @Test(arguments: Way.allCases) func eventsOfOthersAreSentWhenTheirTimeComes(_ way: Way) async throws {
    let (tracker, client) = try tracking(Sessions(nil)) { $0.batchCount = 2 }
    service(client, try way.options("bob")).track("bobs")
    service(client, try way.options("bob")).track("bobs")
    try await scene.wait("both") { scene.gateway.bringers(of: "bobs") == ["bob", "bob"] }
    withExtendedLifetime(tracker) {}
  }

  @Test(arguments: [401, 403]) func aRefusedCallerDoesNotDelayOthers(_ status: Int) async throws {
    let (tracker, client) = try tracking(Sessions("ada")) { $0.batchCount = 1 }
    scene.gateway.refusal.withLock { $0 = { $0.contains("bob") ? status : nil } }
    for round in 0..<5 {
      service(client, CallOptions(token: try .of("bob"))).track("bobs")
      service(client, CallOptions(token: try .of("cleo"))).track("cleos")
      service(client, CallOptions()).track("own")
      // The clock does not advance: no wait follows a refusal.
      try await scene.wait("round \(round)") {
        scene.gateway.bringers(of: "own").count == round + 1 && scene.gateway.bringers(of: "cleos").count == round + 1
      }
    }
    #expect(await tracker.status.waitingCount == 5)
    // With another token of the same user, all of them are sent.
    scene.gateway.refusal.withLock { $0 = { _ in nil } }
    await tracker.flush()
    service(client, CallOptions(token: try .of("bob", 2))).track("bobs")
    await tracker.flush()
    #expect(scene.gateway.bringers(of: "bobs") == Array(repeating: "bob", count: 6))
  }

  @Test func theClientsRefusedUserDoesNotDelayOthers() async throws {
    let (tracker, client) = try tracking(Sessions("ada")) { $0.batchCount = 1 }
    scene.gateway.refusal.withLock { $0 = { $0.contains("ada") ? 401 : nil } }
    service(client, CallOptions()).track("own")
    try await scene.wait("an error") { await tracker.status.lastError != nil }
    service(client, CallOptions(token: try .of("bob"))).track("bobs")
    try await scene.wait("bob's") { scene.gateway.bringers(of: "bobs").count == 1 }
    scene.gateway.refusal.withLock { $0 = { _ in nil } }
    await tracker.flush()
    #expect(scene.gateway.bringers(of: "own") == ["ada"])
  }

  /// The events of a user who has signed out wait until that user returns.
  @Test func eventsDoNotGoWithTheNextUser() async throws {
    let sessions = Sessions(nil)
    let (tracker, client) = try tracking(sessions)
    let own = service(client, CallOptions())
    own.track("before_ada")
    await tracker.waitUntilWritten()
    sessions.signIn("ada")
    own.track("adas")
    await sessions.signOut()
    own.track("before_bob")
    sessions.signIn("bob")
    own.track("bobs")
    await tracker.flush()
    #expect(scene.gateway.tokens.withLock { Set($0) } == ["token-bob-1"])
    #expect(Set(scene.gateway.events.map(\.name)) == ["before_bob", "bobs"])
    #expect(await tracker.status.waitingCount == 2)
    sessions.signIn("ada")
    await tracker.flush()
    #expect(scene.gateway.bringers(of: "before_ada") == ["ada"] && scene.gateway.bringers(of: "adas") == ["ada"])
    #expect(scene.gateway.events.first { $0.name == "before_ada" }?.userId == nil)
  }

  /// Events without credentials cause no requests, and no endless rounds.
  @Test func eventsOfOthersWaitAfterARestart() async throws {
    do {
      let (tracker, client) = try tracking(Sessions(nil)) { $0.batchCount = 500 }
      for _ in 0..<150 { service(client, CallOptions(token: try .opaque("bob"))).track("bobs") }
      await tracker.waitUntilWritten()
    }
    let (tracker, client) = try tracking(Sessions("ada"))
    service(client, CallOptions()).track("own")
    let outcome = await tracker.sendAll()
    #expect(outcome?.sentCount == 1 && outcome?.heldCount == 150 && outcome?.error == nil)
    #expect(scene.gateway.tokens.withLock { $0 } == ["token-ada-1"])
    // The wait for the flushed event ends; nothing else is scheduled.
    scene.clock.advance(by: .seconds(60))
    try await scene.wait("no sleeper") { scene.clock.sleeperCount == 0 }
    service(client, CallOptions(token: try .opaque("bob"))).track("bobs")
    await tracker.flush()
    #expect(scene.gateway.bringers(of: "bobs") == Array(repeating: "bob", count: 151))
  }

  @Test func aSignInAtAProviderTakesItsEvents() async throws {
    let (tracker, client) = try tracking(Sessions("ada"))
    let (one, two) = (Sessions(nil), Sessions(nil))
    service(client, CallOptions(tokens: one)).track("one")
    service(client, CallOptions(tokens: two)).track("two")
    await tracker.flush()
    #expect(scene.gateway.events.isEmpty)
    one.signIn("bob")
    two.signIn("cleo")
    service(client, CallOptions(tokens: one)).track("one")
    service(client, CallOptions(tokens: two)).track("two")
    await tracker.flush()
    #expect(
      scene.gateway.bringers(of: "one") == ["bob", "bob"] && scene.gateway.bringers(of: "two") == ["cleo", "cleo"])
  }

  /// A provider that is a value. Its copies have no identity, so it is asked for each event separately.
  private struct Value: TokenProvider {
    let sessions: Sessions

    var availableToken: AccessToken? { sessions.availableToken }
    func accessToken() async throws -> AccessToken? { try await sessions.accessToken() }
    func currentUser() async throws -> String? { try await sessions.currentUser() }
  }

  @Test(arguments: [false, true]) func aProviderThatIsAValueHasEventsOfItsUsersOnly(isSlow: Bool) async throws {
    let (tracker, client) = try tracking(Sessions("ada"))
    let (one, two) = (Sessions(nil, isSlow: isSlow), Sessions("cleo", isSlow: isSlow))
    func track(_ name: String, _ sessions: Sessions) {
      service(client, CallOptions(tokens: Value(sessions: sessions))).track(name)
    }
    for _ in 0..<3 {
      track("one", one)
      track("two", two)
    }
    await tracker.flush()
    let gateway = scene.gateway
    #expect(gateway.bringers(of: "one").isEmpty && gateway.bringers(of: "two") == ["cleo", "cleo", "cleo"])
    // A user who signs in takes over the events that waited at the same provider, and no others.
    one.signIn("bob")
    track("one", one)
    await tracker.flush()
    #expect(gateway.bringers(of: "one") == ["bob", "bob", "bob", "bob"] && gateway.bringers(of: "two").count == 3)
    #expect(await tracker.status.waitingCount == 0)
  }

  /// Another user signs in at the options' provider between `track` and the request.
  @Test func aProviderThatChangesSendsNothingOfTheFirst() async throws {
    let (tracker, client) = try tracking(Sessions(nil))
    let sessions = Sessions("bob")
    service(client, CallOptions(tokens: sessions)).track("bobs")
    await tracker.waitUntilWritten()
    sessions.signIn("cleo")
    await tracker.flush()
    #expect(scene.gateway.requests.isEmpty)
    #expect(await tracker.status.waitingCount == 1)
  }

  @Test func tokensOfCallsAreLeftOut() async throws {
    let (tracker, client) = try tracking(Sessions("ada"))
    let token = try AccessToken("secret-of-bob", user: "bob")
    service(client, CallOptions(token: token)).track(
      "event", properties: ["source": "x secret-of-bob y", "screen": "a"])
    service(client, CallOptions()).track("event", properties: ["source": "secret-of-bob", "screen": "b"])
    await tracker.flush()
    #expect(Set(scene.gateway.events.map(\.properties)) == [["screen": "a"], ["screen": "b"]])
    for name in ["analytics.db", "analytics.db-wal"] {
      let bytes = (try? scene.folder.bytes("analytics/\(name)")) ?? []
      #expect(!String(decoding: bytes, as: UTF8.self).contains("secret-of-bob"))
    }
  }

  /// The same user in the session and in the options is one user.
  @Test func theClientsUserWithATokenOfTheCallIsTheSame() async throws {
    let (tracker, client) = try tracking(Sessions("ada"))
    service(client, CallOptions()).track("own")
    service(client, CallOptions(token: try .of("ada", 2))).track("own")
    await tracker.flush()
    let events = scene.gateway.events
    #expect(events.map(\.userId) == ["ada", "ada"] && Set(events.map(\.sessionId)).count == 1)
    #expect(Set(events.map(\.anonymousId)).count == 1)
  }

  // MARK: Files

  @Test func eventsOfVersion1AreTheirUsers() async throws {
    try TrackingDirectory(path: scene.directory).create()
    do {
      let connection = try SQLiteConnection(opening: scene.database)
      try connection.execute(
        """
        CREATE TABLE events (
          sequence INTEGER PRIMARY KEY AUTOINCREMENT, occurred_at INTEGER NOT NULL, size INTEGER NOT NULL, event BLOB NOT NULL
        );
        CREATE TABLE counts (kind TEXT, reason TEXT, count INTEGER NOT NULL, PRIMARY KEY (kind, reason)) WITHOUT ROWID;
        CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        INSERT INTO counts VALUES ('sent', '', 7);
        INSERT INTO settings VALUES ('anonymous_id', 'kept');
        """)
      let insertion = try connection.statement("INSERT INTO events (occurred_at, size, event) VALUES (?, 100, ?)")
      for (number, user) in ["ada", "bob", nil, "bob"].enumerated() {
        let event = AnalyticsEvent(
          id: "event-\(number)", name: "e\(number)", userId: user, anonymousId: "kept", sessionId: "s",
          occurredAtMs: 1_764_583_100_000)
        try insertion.bind(event.occurredAtMs, try event.jsonUTF8()).run()
      }
      try connection.execute("DELETE FROM events WHERE sequence = 4")
      try connection.setUserVersion(1)
    }
    let (tracker, client) = try tracking(Sessions("bob"))
    service(client, CallOptions()).track("new")
    await tracker.flush()
    #expect(scene.gateway.deliveries.map(\.token) == ["token-bob-1"])
    #expect(
      scene.gateway.events.map(\.name) == ["e1", "e2", "new"] && scene.gateway.events.map(\.sequence) == [2, 3, 5])
    let status = await tracker.status
    #expect(status.waitingCount == 1 && status.sentCount == 10 && status.anonymousID == "kept")
    #expect(status.storageProblem == nil)
    // A program of version 1 does not change the database.
    #expect(try SQLiteConnection(opening: scene.database).userVersion() == 2)
  }

  @Test(arguments: [
    AnalyticsCaller.anonymous, .user("ada"), .user(""), .user("token:x"), .known(.token(fingerprint: "0a")),
    .provider("p"), .user("é:ü\n"),
  ])
  func callersAreStored(_ caller: AnalyticsCaller) { #expect(AnalyticsCaller(stored: caller.stored) == caller) }

  /// The values that existing databases contain.
  @Test(
    arguments: [
      ("", .anonymous), ("user:ada", .user("ada")), ("user:\u{301}", .user("\u{301}")),
      ("token:0a", .known(.token(fingerprint: "0a"))),
      ("provider:p", .provider("p")),
    ] as [(String, AnalyticsCaller)])
  func storedCallersAreRead(_ text: String, _ caller: AnalyticsCaller) {
    #expect(AnalyticsCaller(stored: text) == caller && Array(caller.stored.utf8) == Array(text.utf8))
  }

  /// Events with a caller that only a later version can read are never sent.
  @Test(arguments: ["user", "users:ada", "tokens", "x:y"])
  func unknownStoredCallersAreKept(_ text: String) { #expect(AnalyticsCaller(stored: text) == .provider(text)) }

  @Test func fewCallersAreKept() throws {
    var callers = RecentCallers(limit: 10)
    let now = ContinuousClock.now
    for number in 0..<100 {
      let options = CallOptions(token: try .of("\(number)"))
      let first = callers.use(.user("\(number)"), credentials: options, at: now, inactivity: .seconds(9))
      let again = callers.use(.user("\(number)"), credentials: options, at: now, inactivity: .seconds(9))
      #expect(first == again && callers.count <= 10)
      #expect(callers.credentials(of: .user("\(number)"))?.options.token == options.token)
    }
    #expect(callers.credentials(of: .user("0")) == nil && callers.credentials(of: .user("98")) != nil)
  }
}

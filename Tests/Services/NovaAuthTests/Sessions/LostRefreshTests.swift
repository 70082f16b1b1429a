import NovaAuth
import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

/// Refreshes whose responses are lost: a server that supports idempotency keys repeats them.
@Suite struct LostRefreshTests {
  @Test func aRefreshIsTriedAgainUnderTheSameKey() async throws {
    let me = try SignedIn(expiresIn: -1)
    me.backend.rule = .lose
    for _ in 0..<2 { #expect(await apiError { try await me.sessions.accessToken() }?.code == .networkError) }
    for status in [429, 500, 502, 503, 504] {
      me.backend.rule = .fail(status)
      #expect(await apiError { try await me.sessions.accessToken() }?.httpStatus == status)
    }
    me.backend.rule = .answer
    #expect(try await me.sessions.accessToken()?.secretValue == Canary.access(1))
    #expect(me.backend.keys.count == 8 && Set(me.backend.keys).count == 1)
    // The refresh token is the same, but this is another refresh.
    _ = try await me.sessions.replacement(for: AccessToken(Canary.access(1)))
    #expect(me.backend.keys.last != me.backend.keys.first)
  }

  @Test func keysRevealNothingAndDifferBetweenSessions() async throws {
    var keys: [String] = []
    for (access, refresh, expiry) in [(0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1), (0, 0, 2)] as [(Int, Int, Int64)] {
      let backend = AuthBackend()
      var session = try Session.canary(refresh, expiresAt: expiry)
      session.accessToken = try AccessToken(Canary.access(access))
      let store = MemorySessionStore(StoredSession(session: session, origin: "http://localhost:8080"))
      let sessions = SessionManager(store: store, auth: try backend.service(), clock: backend.clock)
      _ = try? await sessions.session()
      keys += backend.keys
    }
    #expect(Set(keys).count == 5 && keys.count == 5)
    for key in keys {
      #expect(key.utf8.count == 32 && key.allSatisfy(\.isHexDigit) && Canary.leaks(in: key).isEmpty, "\(key)")
    }
  }

  /// A process that ended and another one with what it left in the store.
  @Test(arguments: [true, false]) func anotherProcessGetsTheLostResponse(honoursKeys: Bool) async throws {
    let me = try SignedIn(expiresIn: -1)
    (me.backend.rotates, me.backend.honoursKeys) = (true, honoursKeys)
    me.backend.rule = .answerAndLose
    #expect(await apiError { try await me.sessions.accessToken() }?.code == .networkError)
    me.backend.rule = .answer
    let next = SessionManager(store: me.store, auth: try me.backend.service(), clock: me.backend.clock)
    if honoursKeys {
      #expect(try await next.accessToken()?.secretValue == Canary.access(1))
      #expect(await me.store.load()?.session.refreshToken.secretValue == Canary.refresh(1))
    } else {
      #expect(await apiError { try await next.accessToken() }?.code == .unauthorized)
      #expect(await me.store.load() == nil)
    }
  }

  // MARK: Repeated answers

  /// A manager whose token was refused, and whose refresh was answered, but the answer was lost.
  private static func refused(_ backend: AuthBackend) async throws -> (SignedIn, token: AccessToken) {
    let me = try SignedIn(backend)
    (me.backend.rotates, me.backend.honoursKeys) = (true, true)
    let token = try #require(await me.sessions.accessToken())
    me.backend.rule = .answerAndLose
    #expect(await apiError { try await me.sessions.replacement(for: token) }?.code == .networkError)
    me.backend.rule = .answer
    return (me, token)
  }

  /// The access token of a repeated answer may have ended. A call whose token was refused is sent only once more.
  @Test func aRefusedTokenIsNotReplacedByThatOfAnAnswerToAnotherProcess() async throws {
    let (me, token) = try await Self.refused(AuthBackend())
    let next = SessionManager(store: me.store, auth: try me.backend.service(), clock: me.backend.clock)
    _ = try await next.accessToken()
    #expect(try await next.replacement(for: token)?.secretValue == Canary.access(2))
    #expect(await me.store.load()?.session.refreshToken.secretValue == Canary.refresh(2))
    #expect(me.backend.keys.count == 3 && me.backend.keys[0] == me.backend.keys[1])
  }

  /// What never left this process says nothing about the age of an answer.
  @Test func aConnectionThatWasRefusedSentNoKey() async throws {
    let (me, token) = try await Self.refused(AuthBackend())
    let next = SessionManager(store: me.store, auth: try me.backend.service(), clock: me.backend.clock)
    _ = try await next.accessToken()
    me.backend.rule = .fault(TransportError(.connectionRefused, "nothing listens", requestMayHaveLeft: false))
    #expect(await apiError { try await next.replacement(for: token) }?.code == .networkError)
    me.backend.rule = .answer
    #expect(try await next.replacement(for: token)?.secretValue == Canary.access(2))
  }

  /// The process knows how old it is at most.
  @Test func theAnswerToAnEarlierCallIsEnough() async throws {
    let (me, token) = try await Self.refused(AuthBackend())
    let end = me.backend.serverNow + me.backend.lifetime
    me.backend.clock.advance(by: .seconds(600))
    #expect(try await me.sessions.replacement(for: token)?.secretValue == Canary.access(1))
    #expect(me.backend.keys.count == 2 && me.sessions.current?.expiresAt == end)
  }

  @Test func aTokenThatHasEndedSinceIsRefreshedAgain() async throws {
    let (me, token) = try await Self.refused(AuthBackend(lifetime: 300))
    me.backend.clock.advance(by: .seconds(300))
    #expect(try await me.sessions.replacement(for: token)?.secretValue == Canary.access(2))
    #expect(await me.store.load()?.session.refreshToken.secretValue == Canary.refresh(2))
    #expect(me.backend.keys.count == 3 && me.backend.keys[0] == me.backend.keys[1])
  }

  /// A server may repeat one answer for a day, and may have no memory of keys that it says are repeated.
  @Test func aServerThatRepeatsEverythingEndsNoCall() async throws {
    let me = try SignedIn(expiresIn: -1)
    var answer = HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json", "Idempotency-Replayed": "true"],
      body: Array(#"{"token":"\#(Canary.access(1))","expires_in":300}"#.utf8))
    answer.headers["Date"] = HTTPDate.text(me.backend.serverNow)
    me.backend.rule = .respond(answer)
    for _ in 0..<3 {
      #expect(try await me.sessions.accessToken()?.secretValue == Canary.access(1))
      _ = try await me.sessions.replacement(for: AccessToken(Canary.access(1)))
    }
  }

  /// Its refresh tokens stay valid, and it keeps answers for a day: one key for all refreshes would bring the first
  /// token again when that has long expired.
  @Test func refreshTokensThatStayValidBringNewTokens() async throws {
    let mock = MockBackend()
    let auth = AuthService(client: try APIClient.test(MockTransport(mock), token: nil))
    let sessions = SessionManager(store: MemorySessionStore(), auth: auth)
    var tokens = [try await sessions.signIn(email: "bruce@nova.social", password: "mock-password").accessToken]
    for number in 0..<4 {
      let next = try await sessions.replacement(for: tokens[number])
      tokens.append(try #require(next))
    }
    #expect(Set(tokens.map(\.secretValue)).count == 5)
    let last = try #require(tokens.last?.secretValue)
    #expect(try await auth.verifyToken(token: last).isValid)
  }

  // MARK: Tokens that are not saved

  @Test func tokensThatWereNotSavedAreSavedLater() async throws {
    let backend = AuthBackend()
    backend.rotates = true
    let store = FailingStore(
      StoredSession(session: try backend.session(expiresIn: -1), origin: "http://localhost:8080"))
    let sessions = SessionManager(store: store, auth: try backend.service(), clock: backend.clock)
    try await sessions.saveUnsaved()
    store.fails = true
    #expect(try await sessions.accessToken()?.secretValue == Canary.access(1))
    await #expect(throws: FailingStore.Failure.self) { try await sessions.saveUnsaved() }
    store.fails = false
    try await sessions.saveUnsaved()
    #expect(await store.memory.load()?.session == sessions.current)
    #expect(sessions.current?.refreshToken.secretValue == Canary.refresh(1))
    // Another program signed in meanwhile, so that session is newer.
    store.fails = true
    backend.clock.advance(by: .seconds(4000))
    #expect(try await sessions.accessToken()?.secretValue == Canary.access(2))
    store.fails = false
    let other = StoredSession(session: try .canary(9), origin: "http://localhost:8080")
    await store.memory.save(other)
    try await sessions.saveUnsaved()
    #expect(await store.memory.load() == other && sessions.current == other.session)
  }

  /// Changes without the lock: the file is removed or replaced.
  @Test(arguments: [false, true]) func aStoreThatChangesDuringARefreshKeepsItsChange(isRemoved: Bool) async throws {
    let me = try SignedIn(expiresIn: -1)
    me.backend.shut()
    let waiting = Task { try await me.sessions.session() }
    await me.backend.waitForRefresh()
    let other = isRemoved ? nil : StoredSession(session: try .canary(9), origin: me.sessions.origin)
    if let other { await me.store.save(other) } else { await me.store.clear() }
    me.backend.open()
    #expect(try await waiting.value == other?.session)
    #expect(await me.store.load() == other && me.sessions.current == other?.session)
  }
}

/// A store that cannot save for a while.
private final class FailingStore: SessionStore {
  struct Failure: Error {}
  let memory: MemorySessionStore
  private let isFailing = Locked(false)

  init(_ session: StoredSession) { memory = MemorySessionStore(session) }

  var fails: Bool {
    get { isFailing.withLock { $0 } }
    set { isFailing.withLock { $0 = newValue } }
  }

  func load() async throws -> StoredSession? { await memory.load() }
  func save(_ session: StoredSession) async throws { if fails { throw Failure() } else { await memory.save(session) } }
  func clear() async throws { await memory.clear() }
  func withExclusiveAccess<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result { try await memory.withExclusiveAccess(body) }
}

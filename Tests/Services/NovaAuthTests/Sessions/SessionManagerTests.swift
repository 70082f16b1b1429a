import NovaAuth
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@Suite struct SessionManagerTests {
  @Test func aGoodTokenIsHandedOutAtOnce() async throws {
    let me = try SignedIn()
    #expect(me.sessions.availableToken == nil)
    #expect(try await me.sessions.accessToken()?.secretValue == Canary.access(0))
    #expect(me.sessions.availableToken?.secretValue == Canary.access(0))
    #expect(me.backend.refreshes == 0)
  }

  @Test func withoutASessionThereIsNoToken() async throws {
    let backend = AuthBackend()
    let sessions = SessionManager(store: MemorySessionStore(), auth: try backend.service(), clock: backend.clock)
    let error = await apiError { try await sessions.accessToken() }
    #expect(error?.code == .unauthorized && error?.message.hasPrefix("not signed in: ") == true)
    #expect(try await sessions.session() == nil && sessions.current == nil)
    #expect(try await sessions.replacement(for: AccessToken("other")) == nil)
    try await sessions.signOut()
    #expect(backend.refreshes == 0 && backend.logouts.isEmpty)
  }

  @Test func aDueTokenIsReplacedInTheBackground() async throws {
    let me = try SignedIn()
    _ = try await me.sessions.accessToken()
    me.backend.clock.advance(by: .seconds(3600 - 61))
    #expect(me.sessions.availableToken?.secretValue == Canary.access(0))
    await me.sessions.waitForRefresh()
    #expect(me.backend.refreshes == 0)
    me.backend.clock.advance(by: .seconds(2))
    me.backend.shut()
    #expect(me.sessions.availableToken?.secretValue == Canary.access(0))
    await me.backend.waitForRefresh()
    #expect(try await me.sessions.accessToken()?.secretValue == Canary.access(0))
    me.backend.open()
    await me.sessions.waitForRefresh()
    #expect(me.sessions.availableToken?.secretValue == Canary.access(1))
    #expect(me.backend.refreshes == 1)
    #expect(await me.store.load()?.session == me.sessions.current)
    #expect(me.sessions.current?.refreshToken.secretValue == Canary.refresh(0))
  }

  @Test func jitterRefreshesEarlier() async throws {
    let me = try SignedIn(jitter: 0.5)
    _ = try await me.sessions.accessToken()
    me.backend.clock.advance(by: .seconds(3600 - 76))
    _ = me.sessions.availableToken
    await me.sessions.waitForRefresh()
    #expect(me.backend.refreshes == 0)
    me.backend.clock.advance(by: .seconds(2))
    _ = me.sessions.availableToken
    await me.sessions.waitForRefresh()
    #expect(me.backend.refreshes == 1)
  }

  @Test func shortLivedTokensAreNotReplacedAtOnce() async throws {
    let me = try SignedIn(AuthBackend(lifetime: 20), expiresIn: -1)
    for second in 0..<100 {
      #expect(try await me.sessions.accessToken() != nil)
      await me.sessions.waitForRefresh()
      #expect(me.backend.refreshes <= 1 + second / 10)
      me.backend.clock.advance(by: .seconds(1))
    }
  }

  @Test func tenThousandCallersRefreshOnce() async throws {
    let me = try SignedIn(expiresIn: -1)
    me.backend.shut()
    let tokens = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<10_000 { group.addTask { try await me.sessions.accessToken()?.secretValue } }
      await me.backend.waitForRefresh()
      me.backend.open()
      return try await group.reduce(into: [String?: Int]()) { $0[$1, default: 0] += 1 }
    }
    #expect(tokens == [Canary.access(1): 10_000])
    #expect(me.backend.refreshes == 1)
  }

  @Test func aCancelledWaiterStopsWaitingAndNothingElse() async throws {
    let me = try SignedIn(expiresIn: -1)
    me.backend.shut()
    let impatient = Task { try await me.sessions.accessToken() }
    await me.backend.waitForRefresh()
    let patient = Task { try await me.sessions.accessToken() }
    impatient.cancel()
    let error = await #expect(throws: APIError.self) { try await impatient.value }
    #expect(error?.code == .cancelled)
    me.backend.open()
    #expect(try await patient.value?.secretValue == Canary.access(1))
    #expect(me.backend.refreshes == 1)
  }

  @Test func aFailureIsNotRemembered() async throws {
    let me = try SignedIn(expiresIn: -1)
    me.backend.rule = .fail(503)
    let error = await apiError { try await me.sessions.accessToken() }
    #expect(error?.code == .unavailable && me.sessions.current != nil)
    me.backend.rule = .answer
    #expect(try await me.sessions.accessToken()?.secretValue == Canary.access(1))
    #expect(me.backend.refreshes == 2)
  }

  @Test func aFailureInTheBackgroundIsTriedAgainAfterAPause() async throws {
    let me = try SignedIn(expiresIn: 3600)
    _ = try await me.sessions.accessToken()
    me.backend.rule = .fail(503)
    me.backend.clock.advance(by: .seconds(3590))
    for _ in 0..<3 {
      #expect(me.sessions.availableToken != nil)
      await me.sessions.waitForRefresh()
    }
    #expect(me.backend.refreshes == 1)
    me.backend.rule = .answer
    me.backend.clock.advance(by: .seconds(6))
    #expect(me.sessions.availableToken?.secretValue == Canary.access(0))
    await me.sessions.waitForRefresh()
    #expect(me.sessions.availableToken?.secretValue == Canary.access(1))
  }

  @Test func programsThatMayEndWaitForTheRefresh() async throws {
    let me = try SignedIn(inBackground: false)
    _ = try await me.sessions.accessToken()
    me.backend.clock.advance(by: .seconds(3550))
    #expect(me.sessions.availableToken == nil)
    #expect(try await me.sessions.accessToken()?.secretValue == Canary.access(1))
    me.backend.clock.advance(by: .seconds(3550))
    // The old one is better than none.
    me.backend.rule = .fail(503)
    #expect(try await me.sessions.accessToken()?.secretValue == Canary.access(1))
    #expect(me.sessions.availableToken?.secretValue == Canary.access(1))
  }

  @Test func aRefusedRefreshTokenEndsTheSession() async throws {
    let me = try SignedIn(expiresIn: -1)
    let updates = me.sessions.updates
    me.backend.revoke()
    let error = try #require(await apiError { try await me.sessions.accessToken() })
    #expect(error.code == .unauthorized && error.message.contains("sign in again") && error.rpc == "auth.Refresh")
    #expect(await me.store.load() == nil && me.sessions.current == nil)
    #expect(await apiError { try await me.sessions.accessToken() }?.code == .unauthorized)
    #expect(await updates.prefix(2).reduce(into: []) { $0.append("\($1.name)") } == ["started", "ended refused"])
  }

  @Test func theStoreIsClearedOnlyOfTheRefusedSession() async throws {
    let me = try SignedIn(expiresIn: -1)
    me.backend.revoke()
    let other = StoredSession(session: try .canary(7), origin: "https://other.example")
    _ = try? await me.sessions.session()
    await me.store.save(other)
    _ = try? await me.sessions.session()
    #expect(await me.store.load() == other && me.sessions.current == nil)
  }

  @Test func aRefreshTokenThatIsUsedUpIsReplaced() async throws {
    let me = try SignedIn(expiresIn: -1)
    me.backend.rotates = true
    for number in 1...5 {
      #expect(try await me.sessions.accessToken()?.secretValue == Canary.access(number))
      #expect(await me.store.load()?.session.refreshToken.secretValue == Canary.refresh(number))
      me.backend.clock.advance(by: .seconds(4000))
    }
  }

  @Test(arguments: [Int64(-300), 0, 300])
  func expiryIsJudgedByTheServersClock(skew: Int64) async throws {
    let me = try SignedIn(AuthBackend(skew: skew), expiresIn: -1)
    // A clock of ours that is behind lets the old token pass, until the server says what time it is.
    #expect(try await me.sessions.accessToken()?.secretValue == (skew > 0 ? Canary.access(0) : Canary.access(1)))
    me.sessions.serverTime(me.backend.serverNow)
    _ = try await me.sessions.accessToken()
    let expiresAt = try #require(me.sessions.current?.expiresAt)
    #expect(expiresAt == me.backend.serverNow + 3600)
    me.backend.clock.advance(by: .seconds(3599))
    #expect(me.sessions.availableToken?.secretValue == Canary.access(1))
    await me.sessions.waitForRefresh()
    #expect(me.sessions.current?.expiresAt == me.backend.serverNow + 3600)
  }

  @Test func aDayPassesWithoutACallThatWaits() async throws {
    let me = try SignedIn()
    _ = try await me.sessions.accessToken()
    for _ in 0..<24 * 60 * 2 {
      me.backend.clock.advance(by: .seconds(30))
      #expect(me.sessions.availableToken != nil)
      await me.sessions.waitForRefresh()
    }
    #expect((24...25).contains(me.backend.refreshes))
  }
}

extension SessionChange {
  var name: String {
    switch self {
    case .started: "started"
    case .refreshed: "refreshed"
    case .ended(let reason): "ended \(reason)"
    case .storeFailed: "storeFailed"
    }
  }
}

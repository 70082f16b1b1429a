import NovaAuth
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

/// What happens after a 401.
@Suite struct ReplacementTests {
  @Test func aRefusedTokenIsReplacedOnce() async throws {
    let me = try SignedIn()
    let refused = try #require(try await me.sessions.accessToken())
    me.backend.shut()
    try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<1000 { group.addTask { try await me.sessions.replacement(for: refused)?.secretValue } }
      await me.backend.waitForRefresh()
      // While it lasts nobody gets the token that was refused.
      #expect(me.sessions.availableToken == nil)
      me.backend.open()
      for try await token in group { #expect(token == Canary.access(1)) }
    }
    #expect(me.backend.refreshes == 1)
  }

  @Test func aTokenThatWasReplacedMeanwhileCostsNothing() async throws {
    let me = try SignedIn()
    let old = try #require(try await me.sessions.accessToken())
    _ = try await me.sessions.replacement(for: old)
    #expect(try await me.sessions.replacement(for: old)?.secretValue == Canary.access(1))
    #expect(try await me.sessions.replacement(for: AccessToken("older"))?.secretValue == Canary.access(1))
    #expect(me.backend.refreshes == 1)
  }

  @Test func anotherProcessMayHaveReplacedIt() async throws {
    let me = try SignedIn()
    let refused = try #require(try await me.sessions.accessToken())
    let other = StoredSession(session: try .canary(9), origin: me.sessions.origin)
    await me.store.save(other)
    #expect(try await me.sessions.replacement(for: refused)?.secretValue == Canary.access(9))
    #expect(me.backend.refreshes == 0)
  }

  @Test func aSessionThatEndedElsewhereIsOver() async throws {
    let me = try SignedIn()
    let refused = try #require(try await me.sessions.accessToken())
    let updates = me.sessions.updates
    await me.store.clear()
    #expect(try await me.sessions.replacement(for: refused) == nil)
    #expect(me.sessions.current == nil && me.backend.refreshes == 0)
    #expect(await updates.first { _ in true }?.name == "ended elsewhere")
  }

  @Test func aRefusalThatFailsToRefreshIsAnError() async throws {
    let me = try SignedIn()
    let refused = try #require(try await me.sessions.accessToken())
    me.backend.rule = .fail(503)
    #expect(await apiError { try await me.sessions.replacement(for: refused) }?.code == .unavailable)
    #expect(await apiError { try await me.sessions.accessToken() }?.code == .unavailable)
    me.backend.rule = .answer
    #expect(try await me.sessions.accessToken()?.secretValue == Canary.access(1))
  }

  /// Calls of one user must not be sent with the token of another.
  @Test(
    arguments: [("ada", "bob", false), ("ada", "ada", true), ("ada", nil, true), (nil, "bob", true)]
      as [(String?, String?, Bool)])
  func aTokenOfAnotherUserIsNotUsed(user: String?, other: String?, isUsed: Bool) async throws {
    let me = try SignedIn()
    var session = try me.backend.session()
    session.accessToken = try Self.token(of: user, "1")
    await me.store.save(StoredSession(session: session, origin: me.sessions.origin))
    let sessions = SessionManager(store: me.store, auth: try me.backend.service(), clock: me.backend.clock)
    let refused = try #require(try await sessions.accessToken())
    let next = try Self.token(of: other, "2")
    me.backend.rule = .reply(200, #"{"token":"\#(next.secretValue)","refresh_token":"next"}"#)
    let used = Locked<AccessToken?>(nil)
    let error = await apiError {
      let token = try await sessions.replacement(for: refused)
      used.withLock { $0 = token }
    }
    #expect((used.withLock { $0 } == next) == isUsed)
    #expect((error == nil) == isUsed, "\(String(describing: error))")
    guard !isUsed else { return }
    #expect(error?.message.contains("a token of another user") == true && error?.isOfRefresh == true)
    #expect(await me.store.load()?.session == session)
  }

  private static func token(of user: String?, _ signature: String) throws -> AccessToken {
    guard let user else { return try AccessToken("opaque-\(signature)") }
    let payload = Base64.encode(Array(#"{"sub":"\#(user)"}"#.utf8)).filter { $0 != UInt8(ascii: "=") }
    return try AccessToken("eyJhbGciOiJub25lIn0.\(String(decoding: payload, as: UTF8.self)).\(signature)")
  }

  @Test func aSessionOfAnotherGatewayIsNotUsed() async throws {
    let backend = AuthBackend()
    let store = MemorySessionStore(
      StoredSession(session: try backend.session(), origin: "https://staging-api.nova.social"))
    let sessions = SessionManager(store: store, auth: try backend.service(), clock: backend.clock)
    #expect(sessions.origin == "http://localhost:8080")
    #expect(await apiError { try await sessions.accessToken() }?.code == .unauthorized)
    #expect(await store.load() != nil)
  }

  @Test func aRefreshThatNeedsItselfIsRefused() async throws {
    let backend = AuthBackend()
    let store = MemorySessionStore(
      StoredSession(session: try backend.session(expiresIn: -1), origin: "http://localhost:8080"))
    let own = Locked<SessionManager?>(nil)
    let sessions = SessionManager(store: store, auth: try backend.service(), clock: backend.clock) { _ in
      _ = try await own.withLock { $0 }?.accessToken()
      return RefreshResponse(token: "never")
    }
    own.withLock { $0 = sessions }
    let error = await apiError { try await sessions.accessToken() }
    #expect(error?.code == .failedPrecondition && error?.message.contains("without this session manager") == true)
    own.withLock { $0 = nil }
  }

  @Test func oneClientMayServeForEverything() async throws {
    let backend = AuthBackend()
    let store = MemorySessionStore(
      StoredSession(session: try backend.session(expiresIn: -1), origin: "http://localhost:8080"))
    let own = Locked<SessionManager?>(nil)
    // Refresh needs no token, so even a client that asks the manager for tokens never asks for this one.
    let client = try backend.client(tokens: Forwarding(own: own))
    let sessions = SessionManager(store: store, auth: AuthService(client: client), clock: backend.clock)
    own.withLock { $0 = sessions }
    #expect(try await sessions.accessToken()?.secretValue == Canary.access(1))
    own.withLock { $0 = nil }
  }
}

private struct Forwarding: TokenProvider {
  let own: Locked<SessionManager?>
  func accessToken() async throws -> AccessToken? { try await own.withLock { $0 }?.accessToken() }
}

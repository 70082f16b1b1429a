import NovaAuth
import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@Suite struct SignOutTests {
  @Test func signingOutClosesTheSessionHereAndThere() async throws {
    let me = try SignedIn()
    _ = try await me.sessions.accessToken()
    let updates = me.sessions.updates
    try await me.sessions.signOut()
    #expect(me.sessions.current == nil && me.sessions.availableToken == nil)
    #expect(await me.store.load() == nil)
    #expect(me.backend.logouts == [Canary.refresh(0)])
    #expect(await updates.first { _ in true }?.name == "ended signedOut")
    try await me.sessions.signOut()
    #expect(me.backend.logouts.count == 1)
  }

  @Test func aSessionThatWasNotLookedAtYetIsClosedToo() async throws {
    let me = try SignedIn(expiresIn: -1)
    try await me.sessions.signOut()
    #expect(await me.store.load() == nil)
    // Logout needs a token that is good.
    #expect(me.backend.refreshes == 1 && me.backend.logouts == [Canary.refresh(0)])
  }

  @Test func withoutTheServerTheSessionGoesAllTheSame() async throws {
    let store = MemorySessionStore(StoredSession(session: try .canary(1), origin: "http://localhost:8080"))
    let client = try APIClient.test(RecordingTransport(status: 503, ""))
    let sessions = SessionManager(store: store, auth: AuthService(client: client))
    #expect(await apiError { try await sessions.signOut() }?.code == .unavailable)
    #expect(await store.load() == nil && sessions.current == nil)
  }

  @Test func aSessionOfAnotherGatewayStays() async throws {
    let backend = AuthBackend()
    let other = StoredSession(session: try .canary(1), origin: "https://other.example")
    let store = MemorySessionStore(other)
    try await SessionManager(store: store, auth: try backend.service(), clock: backend.clock).signOut()
    #expect(await store.load() == other && backend.logouts.isEmpty)
  }

  @Test func aRefreshUnderWayBringsNoSessionBack() async throws {
    let me = try SignedIn(expiresIn: -1)
    me.backend.rotates = true
    me.backend.shut()
    let waiting = Task { try await me.sessions.accessToken() }
    await me.backend.waitForRefresh()
    let leaving = Task { try await me.sessions.signOut() }
    while me.sessions.current != nil { await Task.yield() }
    me.backend.open()
    try await leaving.value
    #expect(await apiError { try await waiting.value }?.code == .unauthorized)
    #expect(me.sessions.current == nil && me.sessions.availableToken == nil)
    #expect(await me.store.load() == nil)
    // The newest refresh token is the one to close the session with.
    #expect(me.backend.logouts == [Canary.refresh(1)])
  }
}

/// Against the mock backend, which keeps accounts.
@Suite struct SignInTests {
  private let store = MemorySessionStore()
  private let sessions: SessionManager
  private let auth: AuthService

  init() throws {
    auth = AuthService(client: try APIClient.test(MockTransport(MockBackend()), token: nil))
    sessions = SessionManager(store: store, auth: auth)
  }

  @Test func aSignInIsStored() async throws {
    let updates = sessions.updates
    let session = try await sessions.signIn(email: "bruce@nova.social", password: "mock-password")
    #expect(session.user.id == "mock-user-id" && session.user.username == "bruce_li")
    #expect(session.user.email == "bruce@nova.social" && session.user.createdAt > 0)
    #expect(await store.load() == StoredSession(session: session, origin: "http://localhost:8080"))
    #expect(sessions.availableToken == session.accessToken)
    let refreshed = try await sessions.replacement(for: session.accessToken)
    #expect(refreshed != nil)
    try await sessions.signOut()
    #expect(
      await apiError { try await auth.refresh(refreshToken: session.refreshToken.secretValue) }?.code == .unauthorized)
    #expect(await updates.first { _ in true }?.name == "started")
  }

  @Test func aSignUpIsStored() async throws {
    let session = try await sessions.signUp(email: "eve@nova.example", username: "eve_1", password: Canary.secret)
    #expect(session.user.username == "eve_1" && session.user.email == "eve@nova.example" && session.user.isActive)
    #expect(sessions.current == session)
  }

  @Test func aFailingStorePreventsTheSignIn() async throws {
    let sessions = SessionManager(store: BrokenStore(), auth: auth)
    await #expect(throws: BrokenStore.Failure.self) {
      try await sessions.signIn(email: "bruce@nova.social", password: "mock-password")
    }
    #expect(sessions.current == nil)
    #expect(await apiError { try await sessions.accessToken() }?.code == .failedPrecondition)
  }

  @Test func aCancellationDuringTheSaveIsTooLate() async throws {
    let store = PausingStore(at: .save)
    let sessions = SessionManager(store: store, auth: auth)
    let signIn = Task { try await sessions.signIn(email: "bruce@nova.social", password: "mock-password") }
    await store.pause.begin()
    signIn.cancel()
    store.pause.end()
    let session = try await signIn.value
    #expect(sessions.current == session)
    #expect(await store.load()?.session == session)
  }

  @Test func aCancellationBeforeTheSaveClosesTheSessionAtTheServer() async throws {
    let backend = MockBackend()
    let transport = RecordingTransport { _, request in backend.respond(to: request) }
    let store = PausingStore(at: .secondAccess)
    let sessions = SessionManager(
      store: store, auth: AuthService(client: try APIClient.test(transport, token: nil)))
    let signIn = Task { try await sessions.signIn(email: "bruce@nova.social", password: "mock-password") }
    await store.pause.begin()
    signIn.cancel()
    #expect(await apiError { try await signIn.value }?.code == .cancelled)
    #expect(transport.requests.last?.url.text.hasSuffix("/auth/logout") == true)
    store.pause.end()
    #expect(sessions.current == nil)
    #expect(await store.load() == nil)
  }

  @Test func aDefaultPortInAStoredOriginIsTheSameGateway() async throws {
    let session = try Session.canary(1)
    let client = try APIClient.test(MockTransport(MockBackend()), baseURL: "https://nova.example", token: nil)
    let store = MemorySessionStore(StoredSession(session: session, origin: "https://NOVA.example:443"))
    #expect(try await SessionManager(store: store, auth: AuthService(client: client)).session() == session)
  }

  @Test func secretsDoNotShow() async throws {
    let session = try Session.canary(1)
    let sessions = SessionManager(
      store: MemorySessionStore(StoredSession(session: session, origin: sessions.origin)), auth: auth)
    let found = try #require(try await sessions.session())
    var text = "\(found) \(String(reflecting: found)) \(sessions) \(SessionChange.started(found))"
    dump(found, to: &text)
    dump(sessions, to: &text)
    dump(StoredSession(session: found, origin: ""), to: &text)
    dump(SessionChange.refreshed(found), to: &text)
    dump(found.refreshToken, to: &text)
    #expect(!text.contains("canary") && text.contains("****"), "\(text)")
  }
}

/// A store in memory that pauses at one step of a sign-in.
private final class PausingStore: SessionStore {
  enum Step { case save, secondAccess }

  let pause = Pause()
  private let step: Step
  private let base = MemorySessionStore()
  private let accesses = Locked(0)

  init(at step: Step) { self.step = step }

  func load() async -> StoredSession? { await base.load() }
  func clear() async { await base.clear() }

  func save(_ session: StoredSession) async throws {
    if step == .save { await pause.wait() }
    // As stores may that look.
    try Task.checkCancellation()
    await base.save(session)
  }

  func withExclusiveAccess<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    let number = accesses.withLock { count in
      count += 1
      return count
    }
    if step == .secondAccess, number == 2 { await pause.wait() }
    return try await base.withExclusiveAccess(body)
  }
}

/// A place at which a test stops other code.
private final class Pause: Sendable {
  private let begun = AsyncStream<Void>.makeStream()
  private let ended = AsyncStream<Void>.makeStream()

  /// Waits until the test ends the pause.
  func wait() async {
    begun.continuation.finish()
    for await _ in ended.stream {}
  }

  /// Returns once the code waits.
  func begin() async { for await _ in begun.stream {} }

  func end() { ended.continuation.finish() }
}

import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaAuth

/// Processes that follow each other, at a server whose clock differs from the machine's.
@Suite(.hangLimit) struct ServerClockTests {
  private let backend = AuthBackend()
  private let local: ShiftedClock
  private let store = CountingStore()

  init() { local = ShiftedClock(backend.clock) }

  /// A session manager as a process that starts now has it.
  private func process(_ store: (any SessionStore)? = nil) throws -> SessionManager {
    SessionManager(
      store: store ?? self.store, auth: try backend.service(), policy: RefreshPolicy(refreshesInBackground: false),
      clock: local)
  }

  private func signIn(expiresIn: Int64? = nil, clock: ServerClock? = nil) async throws {
    let session = try backend.session(expiresIn: expiresIn)
    await store.memory.save(StoredSession(session: session, origin: "http://localhost:8080", serverClock: clock))
  }

  /// What a call does with a session: the token is sent, and the response reports the time.
  private func call(_ process: SessionManager) async throws -> String? {
    let token = try await process.accessToken()?.secretValue
    process.serverTime(backend.serverNow)
    await process.waitForRefresh()
    return token
  }

  @Test(arguments: [-7200.0, 7200]) func eightProcessesRefreshOnlyWhenDue(ahead: Double) async throws {
    local.ahead = ahead
    backend.rotates = true
    try await signIn(expiresIn: -1)
    for round in 1...4 {
      // A server that is ahead is noticed when it refuses the token, so the first time is not of interest.
      if round == 1 { _ = try await process().replacement(for: AccessToken(Canary.access(0))) }
      let tokens = try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<8 {
          let process = try process()
          for _ in 0..<10 { group.addTask { try await process.accessToken()?.secretValue } }
        }
        return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
      }
      #expect(tokens == [Canary.access(round)] && backend.refreshes == round)
      for later in [1, 3598] {
        backend.clock.advance(by: .seconds(later))
        #expect(try await call(process()) == Canary.access(round) && backend.refreshes == round)
      }
      backend.clock.advance(by: .seconds(2))
    }
  }

  @Test func aValidTokenIsUsedIfTheRefreshFails() async throws {
    local.ahead = 7200
    try await signIn()
    backend.rule = .fail(503)
    #expect(try await call(process()) == Canary.access(0) && backend.refreshes == 1)
    // The next process has the clock from this one.
    #expect(try await call(process()) == Canary.access(0) && backend.refreshes == 1)
    #expect(await store.memory.load()?.serverClock?.secondsAhead == -7200)
  }

  /// The machine's clock was wrong, and is right now. Whatever that does to a token, one refresh ends it.
  @Test(arguments: [-7200.0, 7200], [true, false])
  func aClockThatIsSetCostsOneRefresh(ahead: Double, wasWrong: Bool) async throws {
    local.ahead = wasWrong ? ahead : 0
    try await signIn(expiresIn: -1)
    _ = try await process().replacement(for: AccessToken(Canary.access(0)))
    #expect(backend.refreshes == 1)
    local.ahead = wasWrong ? 0 : ahead
    for _ in 0..<5 {
      backend.clock.advance(by: .seconds(60))
      #expect(try await call(process()) == Canary.access(backend.refreshes))
    }
    #expect(backend.refreshes <= 2)
    backend.clock.advance(by: .seconds(3600))
    // An expired token that seems valid is refused.
    let (last, expired) = (try process(), Canary.access(backend.refreshes))
    if try await call(last) == expired { _ = try await last.replacement(for: AccessToken(expired)) }
    let refreshes = backend.refreshes
    #expect(refreshes <= 3)
    #expect(try await call(process()) == Canary.access(refreshes) && backend.refreshes == refreshes)
    #expect(await store.memory.load()?.serverClock?.secondsAhead == Int64(-local.ahead))
  }

  @Test(arguments: [0.0, 9, 7200]) func aChangeIsSavedOnce(behind: Double) async throws {
    local.ahead = behind
    try await signIn()
    let process = try process()
    _ = try await process.reload()
    for _ in 0..<100 { process.serverTime(backend.serverNow) }
    await process.waitForRefresh()
    for _ in 0..<100 { process.serverTime(backend.serverNow) }
    await process.waitForRefresh()
    #expect(store.saves == (behind > 10 ? 1 : 0))
    #expect(try await store.memory.load()?.session == backend.session())
  }

  /// A store that cannot be written, or that keeps the session only.
  @Test(arguments: [CountingStore.Fault.fails, .forgetsClocks])
  func anotherStoreIsTriedOnce(fault: CountingStore.Fault) async throws {
    local.ahead = 7200
    try await signIn()
    store.fault = fault
    let process = try process()
    let updates = process.updates
    try await process.reload()
    // Without it, the token would seem to be expired.
    process.serverTime(backend.serverNow)
    await process.waitForRefresh()
    for _ in 0..<10 { _ = try await call(process) }
    try await process.saveUnsaved()
    #expect(store.saves == 1 && backend.refreshes == 0)
    try await process.signOut()
    #expect(await updates.prefix(2).reduce(into: []) { $0.append($1.name) } == ["started", "ended signedOut"])
  }

  @Test func aSessionThatEndedIsNotSavedAgain() async throws {
    local.ahead = 7200
    try await signIn()
    let process = try process()
    try await process.reload()
    await store.memory.clear()
    process.serverTime(backend.serverNow)
    await process.waitForRefresh()
    #expect(await store.memory.load() == nil && store.saves == 0)
  }

  /// Another process that saves a clock has not saved another session.
  @Test func tokensThatCouldNotBeSavedAreKept() async throws {
    backend.rotates = true
    try await signIn(expiresIn: -1)
    store.fault = .fails
    let process = try process()
    #expect(try await process.accessToken()?.secretValue == Canary.access(1))
    store.fault = .none
    let clock = ServerClock(secondsAhead: 60, readAt: Int64(local.unixTime) + 1)
    let old = try #require(await store.memory.load())
    await store.memory.save(StoredSession(session: old.session, origin: old.origin, serverClock: clock))
    try await process.reload()
    #expect(process.current?.accessToken.secretValue == Canary.access(1))
    try await process.saveUnsaved()
    #expect(await store.memory.load()?.session.refreshToken.secretValue == Canary.refresh(1))
  }

  /// Another gateway has another clock.
  @Test func theClockOfAnotherGatewayIsIgnored() async throws {
    let clock = ServerClock(secondsAhead: 7200, readAt: Int64(local.unixTime))
    await store.memory.save(
      StoredSession(session: try backend.session(), origin: "https://other.example", serverClock: clock))
    let process = try process()
    try await process.reload()
    try await signIn()
    #expect(try await process.accessToken()?.secretValue == Canary.access(0) && backend.refreshes == 0)
  }

  /// Calls do not wait for a store that another process uses.
  @Test func callsDoNotWaitForTheStore() async throws {
    local.ahead = 7200
    try await signIn(clock: ServerClock(secondsAhead: -3600, readAt: Int64(local.unixTime)))
    let process = try process()
    try await process.reload()
    try await store.withExclusiveAccess {
      for _ in 0..<2 { process.serverTime(backend.serverNow) }
      #expect(process.availableToken?.secretValue == Canary.access(0))
      await backend.clock.waitForSleepers()
      backend.clock.advance(by: .seconds(1))
      await process.waitForRefresh()
    }
    #expect(store.saves == 0)
  }

  // MARK: Signing in

  private func signIn(_ date: @escaping @Sendable (AuthBackend) -> String?) async throws -> SessionManager {
    let backend = backend
    let transport = RecordingTransport { number, _ in
      if number > 0 { backend.clock.advance(by: .seconds(9)) }
      var headers: HTTPHeaders = ["Content-Type": "application/json"]
      headers["Date"] = date(backend)
      let body = #"{"user_id":"u","token":"t","refresh_token":"r","expires_in":60}"#
      return HTTPResponse(status: number == 0 ? 200 : 500, headers: headers, body: Array(body.utf8))
    }
    let sessions = SessionManager(
      store: store, auth: AuthService(client: try APIClient.test(transport)), clock: local)
    sessions.serverTime(backend.serverNow + 600)
    try await sessions.signIn(email: "e@x.example", password: "p")
    return sessions
  }

  /// The second call of a sign-in takes nine seconds.
  @Test func aSignInReportsTheClock() async throws {
    local.ahead = 7200
    let start = backend.serverNow
    let sessions = try await signIn { HTTPDate.text($0.serverNow) }
    #expect(sessions.current?.expiresAt == start + 60)
    let stored = try #require(await store.memory.load())
    #expect(stored.serverClock?.secondsAhead == -7200 && stored.session == sessions.current)
  }

  @Test(arguments: [nil, "Sun, 06 Nov 1994 08:49:37 GMT"])
  func aSignInWithoutATimeUsesTheKnownOne(date: String?) async throws {
    local.ahead = 7200
    let start = backend.serverNow + 600
    let sessions = try await signIn { _ in date }
    #expect(sessions.current?.expiresAt == start + 60)
    #expect(await store.memory.load()?.serverClock?.secondsAhead == -6600)
  }
}

/// A store in memory that counts attempts to save, and has faults.
final class CountingStore: SessionStore {
  enum Fault: Sendable { case none, fails, forgetsClocks }
  private struct Failure: Error {}

  let memory = MemorySessionStore()
  private let state = Locked((saves: 0, fault: Fault.none))

  var saves: Int { state.withLock { $0.saves } }
  var fault: Fault {
    get { state.withLock { $0.fault } }
    set { state.withLock { $0.fault = newValue } }
  }

  func load() async throws -> StoredSession? { await memory.load() }

  func save(_ session: StoredSession) async throws {
    let fault = state.withLock { state in
      state.saves += 1
      return state.fault
    }
    if fault == .fails { throw Failure() }
    var session = session
    if fault == .forgetsClocks { session.serverClock = nil }
    await memory.save(session)
  }

  func clear() async throws { await memory.clear() }

  func withExclusiveAccess<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result { try await memory.withExclusiveAccess(body) }
}

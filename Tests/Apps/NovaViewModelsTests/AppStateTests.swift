import NovaAuth
import NovaCore
import NovaMock
import NovaTestSupport
import NovaUsers
import Observation
import Testing

@testable import NovaViewModels

@Suite(.hangLimit) @MainActor struct AppStateTests {
  private struct Last { weak var value: AppState? }

  @Test func initiallyNoUserIsSignedIn() async throws {
    let scene = try Scene()
    #expect(scene.state.isLoading, "a login screen would flash up")
    try await scene.wait { !$0.isLoading }
    #expect(!scene.state.isAuthenticated)
    #expect(scene.state.currentUser == nil)
    #expect(scene.state.error == nil)
  }

  @Test func aStoredSessionIsFound() async throws {
    let scene = try Scene(signedIn: true)
    try await scene.wait { !$0.isLoading }
    #expect(scene.state.isAuthenticated)
    #expect(scene.state.currentUser?.username == "eve")
  }

  @Test func signingInAndOutShows() async throws {
    let scene = try Scene()
    try await scene.wait { !$0.isLoading }
    try await scene.signIn()
    try await scene.wait { $0.isAuthenticated }
    #expect(scene.state.currentUser?.email == "eve@example.com")
    try await scene.sessions.signOut()
    try await scene.wait { !$0.isAuthenticated }
    #expect(scene.state.error == nil, "that was no failure")
  }

  @Test func itSignsInUpAndOut() async throws {
    let scene = try Scene()
    let state = scene.state
    try await scene.wait { !$0.isLoading }
    scene.gateway.shut()
    let isSignedIn = Task { await state.signIn(email: "eve@example.com", password: "wrong password") }
    await scene.gateway.waitForCalls(1)
    #expect(state.isLoading)
    scene.gateway.open()
    #expect(await !isSignedIn.value)
    #expect(!state.isAuthenticated && !state.isLoading)
    #expect(state.error == "The e-mail address or the password is wrong.")
    #expect(await state.signUp(email: "zoe@example.com", username: "zoe", password: "a long password"))
    #expect(state.currentUser?.username == "zoe" && state.error == nil && !state.isLoading)
    await state.signOut()
    #expect(!state.isAuthenticated && state.error == nil && !state.isLoading)
    #expect(await state.signIn(email: "zoe@example.com", password: "a long password"))
    #expect(state.session == scene.sessions.current)
  }

  @Test func signingOutWithoutANetworkSignsOutHere() async throws {
    let scene = try Scene()
    try await scene.signIn()
    try await scene.wait { $0.isAuthenticated && !$0.isLoading }
    scene.gateway.open { _ in .lost }
    await scene.state.signOut()
    #expect(!scene.state.isAuthenticated && !scene.state.isLoading)
    #expect(scene.state.error?.hasPrefix("NovaSocial cannot be reached.") == true)
    scene.gateway.open()
    try await scene.signIn()
    try await scene.wait { $0.isAuthenticated }
    #expect(scene.state.error == nil)
  }

  @Test func aCancelledSignInSaysNothing() async throws {
    let scene = try Scene()
    let state = scene.state
    try await scene.wait { !$0.isLoading }
    scene.gateway.shut()
    let signIn = Task { await state.signIn(email: "eve@example.com", password: "whatever") }
    await scene.gateway.waitForCalls(1)
    signIn.cancel()
    #expect(await !signIn.value)
    #expect(state.error == nil && !state.isLoading && !state.isAuthenticated)
    scene.gateway.open()
  }

  @Test func aLaterSuccessClearsThatTheGatewayCannotBeReached() async throws {
    let scene = try Scene()
    try await scene.signIn()
    try await scene.wait { $0.isAuthenticated && !$0.isLoading }
    func failedCheck() async {
      scene.gateway.open { _ in .lost }
      scene.clock.advance(by: .seconds(3601))
      await scene.state.checkSession()
      #expect(scene.state.isAuthenticated && scene.state.error?.hasPrefix("NovaSocial cannot be reached.") == true)
      scene.gateway.open()
    }
    await failedCheck()
    await scene.state.checkSession()
    #expect(scene.state.isAuthenticated && scene.state.error == nil)
    await failedCheck()
    // The state also follows a refresh for a call.
    _ = try await scene.sessions.session()
    try await scene.wait { $0.error == nil }
    scene.gateway.open { _ in .lost }
    #expect(await !scene.state.signIn(email: "eve@example.com", password: "correct horse"))
    #expect(scene.state.error?.hasPrefix("NovaSocial cannot be reached.") == true)
    scene.gateway.open()
    await scene.state.checkSession()
    #expect(scene.state.isAuthenticated && scene.state.error == nil)
    await failedCheck()
    scene.state.setError("Something else.")
    await scene.state.checkSession()
    #expect(scene.state.error == "Something else.")
  }

  @Test func aRefreshShows() async throws {
    let scene = try Scene()
    try await scene.signIn()
    try await scene.wait { $0.isAuthenticated && !$0.isLoading }
    let before = try #require(scene.state.session)
    scene.clock.advance(by: .seconds(3601))
    _ = try await scene.sessions.session()
    try await scene.wait { $0.session != before }
    #expect(scene.state.session == scene.sessions.current)
  }

  @Test func anotherProcessShows() async throws {
    let scene = try Scene(lookingEvery: .seconds(5))
    try await scene.signIn()
    try await scene.wait { $0.isAuthenticated && !$0.isLoading }
    await scene.store.clear()
    try await scene.look { !$0.isAuthenticated }
    await scene.store.save(StoredSession(session: try .eve(), origin: scene.sessions.origin))
    try await scene.look { $0.isAuthenticated }
  }

  @Test func aRefusedRefreshClearsIt() async throws {
    let scene = try Scene()
    try await scene.signIn()
    try await scene.wait { $0.isAuthenticated && !$0.isLoading }
    scene.gateway.open { $0.name == "refresh" ? .unauthorized : .answered }
    scene.clock.advance(by: .seconds(3601))
    let users = scene.users
    await #expect(throws: APIError.self) { try await users.getUserProfile(userId: "eve") }
    try await scene.wait { !$0.isAuthenticated && $0.error != nil }
    #expect(scene.state.error == "Your session has ended. Please log in again.")
    try await scene.signIn()
    try await scene.wait { $0.isAuthenticated }
    #expect(scene.state.error == nil)
  }

  @Test func a401ThatARefreshCannotMendClearsIt() async throws {
    let scene = try Scene()
    try await scene.signIn()
    try await scene.wait { $0.isAuthenticated && !$0.isLoading }
    scene.gateway.open { $0.name == "profile" ? .unauthorized : .answered }
    do {
      _ = try await scene.users.getUserProfile(userId: "eve")
      Issue.record("it was refused")
    } catch { scene.state.setError(error) }
    #expect(!scene.state.isAuthenticated)
    #expect(scene.state.error == "Your session has ended. Please log in again.")
  }

  @Test func withoutANetworkOneStaysSignedIn() async throws {
    let scene = try Scene(signedIn: true, expired: true) { _ in .lost }
    try await scene.wait { !$0.isLoading }
    #expect(scene.state.isAuthenticated)
    #expect(scene.state.error?.hasPrefix("NovaSocial cannot be reached.") == true)
    scene.gateway.open()
    scene.state.clearError()
    await scene.state.checkSession()
    #expect(scene.state.error != nil, "the token is not good: \(scene.state.error ?? "")")
    #expect(!scene.state.isAuthenticated)
  }

  @Test func settingAndClearingWinOverACheck() async throws {
    let scene = try Scene(signedIn: true, expired: true)
    scene.gateway.shut()
    let check = Task { await scene.state.checkSession() }
    await scene.gateway.waitForCalls(1)
    scene.state.clearSession()
    scene.gateway.open { _ in .lost }
    await check.value
    #expect(!scene.state.isAuthenticated)
    let session = try Session.eve()
    scene.state.setError("Something.")
    scene.state.setSession(session)
    #expect(scene.state.session == session)
    #expect(scene.state.error == nil)
  }

  /// The sign-in is reported late, after a later call has failed.
  @Test func aLateSignInClearsNoLaterError() async throws {
    let scene = try Scene()
    try await scene.wait { !$0.isLoading }
    scene.state.setSession(try await scene.signIn())
    scene.state.setError("A later error.")
    for _ in 0..<1000 { await Task.yield() }
    #expect(scene.state.error == "A later error.")
  }

  @Test func errorsAreForPersons() throws {
    let state = try Scene().state
    state.setError("A sentence.")
    #expect(state.error == "A sentence.")
    state.setError(CancellationError())
    #expect(state.error == "A sentence.")
    state.setError(APIError(.timeout, "too late"))
    #expect(state.error == "NovaSocial took too long to respond. Please try again.")
    state.clearError()
    #expect(state.error == nil)
  }

  @Test func nothingKeepsItAlive() async throws {
    let scene = try Scene(lookingEvery: .seconds(1))
    var state: AppState? = AppState(sessions: scene.sessions, lookingEvery: .seconds(1), clock: scene.clock)
    await state?.checkSession()
    let last = Last(value: state)
    state = nil
    try await waitUntil { last.value == nil }
  }

  @available(macOS 26, *)
  @Test func viewsSeeSignInAndOut() async throws {
    let scene = try Scene()
    try await scene.wait { !$0.isLoading }
    let state = scene.state
    var names = Observations { state.currentUser?.username }.makeAsyncIterator()
    #expect(await names.next() == .some(nil))
    try await scene.signIn()
    #expect(await names.next() == "eve")
    try await scene.sessions.signOut()
    #expect(await names.next() == .some(nil))
  }
}

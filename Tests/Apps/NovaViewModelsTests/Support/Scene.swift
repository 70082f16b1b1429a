import NovaAuth
import NovaCore
import NovaMock
import NovaTestSupport
import NovaUsers
import Observation
import Testing

@testable import NovaViewModels

/// An app's state that follows a session manager on the mock backend, on which Eve has an account.
@MainActor struct Scene {
  let clock = ManualClock()
  let gateway: HeldGateway
  let store: MemorySessionStore
  let sessions: SessionManager
  let users: UserService
  let state: AppState

  private static let password = "correct horse"

  /// - Parameters:
  ///   - signedIn: whether the store has a session of Eve's.
  ///   - expired: whether the session's token has expired and cannot be renewed.
  ///   - rule: returns the outcome of a call.
  init(
    signedIn: Bool = false, expired: Bool = false, lookingEvery interval: Duration? = nil,
    rule: @escaping @Sendable (HeldGateway.Call) -> HeldGateway.Outcome = { _ in .answered }
  ) throws {
    let backend = MockBackend.seeded(1, dataSet: .empty, clock: clock)
    gateway = HeldGateway(backend)
    let register = RegisterRequest(email: "eve@example.com", username: "eve", password: Self.password)
    let answer = backend.respond(
      to: HTTPRequest(
        method: .post, url: "http://localhost:8080\(AuthRPC.register.descriptor.http.path)",
        headers: ["Content-Type": "application/json"], body: try register.jsonUTF8()))
    try #require(answer.status == 200)
    gateway.open(rule)
    let plain = try APIClient.test(gateway, token: nil, clock: clock)
    let auth = AuthService(client: plain)
    let origin = SessionManager(store: MemorySessionStore(), auth: auth).origin
    let session = try Session.eve(expiresAt: expired ? 1 : 2_000_000_000)
    store = MemorySessionStore(signedIn ? StoredSession(session: session, origin: origin) : nil)
    sessions = SessionManager(
      store: store, auth: auth, policy: RefreshPolicy(refreshesInBackground: false, random: { 0 }), clock: clock)
    users = UserService(client: try APIClient.test(gateway, tokens: sessions, clock: clock))
    state = AppState(sessions: sessions, lookingEvery: interval, clock: clock)
  }

  @discardableResult
  func signIn() async throws -> Session { try await sessions.signIn(email: "eve@example.com", password: Self.password) }

  /// Waits until a condition is true.
  func wait(_ isSo: @MainActor @escaping (AppState) -> Bool) async throws {
    while !isSo(state) {
      await withCheckedContinuation { continuation in
        withObservationTracking {
          _ = isSo(state)
        } onChange: {
          continuation.resume()
        }
      }
      // The change is made after it was announced.
      await Task.yield()
    }
  }

  /// Advances the clock, so that the state reads the store, until a condition is true.
  func look(_ isSo: (AppState) -> Bool) async throws {
    for _ in 0..<100 where !isSo(state) {
      await clock.waitForSleepers()
      clock.advance(by: .seconds(5))
      for _ in 0..<10 { await Task.yield() }
    }
    #expect(isSo(state))
  }
}

extension Session {
  /// A session of Eve's with tokens that must never be shown.
  static func eve(expiresAt: Int64 = 2_000_000_000) throws -> Session {
    Session(
      accessToken: try AccessToken(Canary.access(1)), refreshToken: try #require(RefreshToken(Canary.refresh(1))),
      expiresAt: expiresAt, user: User(id: "eve", email: "eve@example.com", username: "eve"))
  }
}

import Foundation
import NovaMock
import NovaSDK
import NovaTestSupport
import NovaTesting
import Testing

/// ``NovaClient/init(configuration:sessionStore:)`` as docs/sessions.md shows it, against the mock.
@Suite struct SessionClientTests {
  /// The lines of the page, with the mock's configuration and account.
  private func signedIn(_ transport: any HTTPTransport) async throws -> NovaClient {
    // No machine is so busy that a call takes longer.
    let configuration = try APIConfiguration(ConfigurationOverrides(timeout: .seconds(300)))
    let (email, password) = ("bruce@nova.social", "mock-password")
    let nova = NovaClient(
      configuration: configuration, sessionStore: MemorySessionStore(), transport: transport)
    try await nova.sessions.signIn(email: email, password: password)
    return nova
  }

  @Test func callsAreSignedInUntilSigningOut() async throws {
    let nova = try await signedIn(MockTransport())
    try await nova.graph.followUser(followerId: "mock-user-id", followeeId: "user-0001")
    let error = await apiError { try await nova.graph.followUser(followerId: "user-0001", followeeId: "user-0002") }
    #expect(error?.code == .permissionDenied)
    try await nova.sessions.signOut()
    let signedOut = await apiError { try await nova.graph.followUser(followerId: "user-0001", followeeId: "user-0002") }
    #expect(signedOut?.code == .unauthorized)
  }

  @Test func callsThatRequireATokenFailBeforeTheNetworkWithoutASession() async throws {
    let transport = RecordingTransport(#"{"data":[]}"#)
    let nova = NovaClient(
      configuration: try APIConfiguration(), sessionStore: MemorySessionStore(), transport: transport)
    let error = await apiError { try await nova.graph.getFollowers(userId: "mock-user-id") }
    #expect(error?.code == .unauthorized && error?.rpc == "graph.GetFollowers")
    #expect(error?.message.hasPrefix("not signed in: ") == true, "\(String(describing: error))")
    #expect(transport.requests.isEmpty)
    _ = try await nova.announcements.list()
    #expect(transport.requests.count == 1, "no token required")
  }

  @Test func aCallsOwnTokenNeedsNoSession() async throws {
    let transport = RecordingTransport("{}")
    let nova = NovaClient(
      configuration: try APIConfiguration(), sessionStore: MemorySessionStore(), transport: transport)
    _ = try await nova.client.call(
      GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"),
      options: CallOptions(headers: ["Authorization": "Bearer own-token"]))
    #expect(transport.requests.map { $0.headers["Authorization"] } == ["Bearer own-token"])
  }

  @Test func withoutAStoreThereAreNoSessions() async throws {
    let error = await apiError {
      try await NovaClient.mock().sessions.signIn(email: "a@b.example", password: "12345678")
    }
    #expect(error?.code == .failedPrecondition && error?.message.hasPrefix("no session store: ") == true)
  }

  @Test func shutdownEndsBothClients() async throws {
    let nova = try await signedIn(MockTransport())
    await nova.shutdown()
    let sessions = try nova.sessions
    let errors = [
      await apiError { try await nova.graph.getFollowers(userId: "mock-user-id") },
      await apiError { try await sessions.signIn(email: "bruce@nova.social", password: "mock-password") },
    ]
    #expect(errors.map { $0?.code } == [.cancelled, .cancelled], "\(errors)")
  }

  @Test func shutdownWaitsForSignIns() async throws {
    let transport = SlowSignIn()
    let nova = NovaClient(
      configuration: try APIConfiguration(), sessionStore: MemorySessionStore(), transport: transport)
    let sessions = try nova.sessions
    let signIn = Task { try await sessions.signIn(email: "bruce@nova.social", password: "mock-password") }
    await transport.waitForSignIn()
    let shutdown = Task { await nova.shutdown() }
    while await apiError({ try await nova.auth.verifyToken(token: "x") })?.code != .cancelled { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    transport.answer()
    #expect(try await signIn.value.user.id == "mock-user-id")
    await shutdown.value
  }

  @Test func aRevokedSessionIsReported() async throws {
    let backend = MockBackend()
    let nova = try await signedIn(MockTransport(backend))
    let session = try #require(try nova.sessions.current)
    try await NovaClient.mock(backend).auth.logout(refreshToken: session.refreshToken.secretValue)
    let error = await apiError { try await nova.graph.followUser(followerId: "mock-user-id", followeeId: "user-0001") }
    #expect(
      error?.code == .unauthorized && error?.message.contains("sign in again") == true, "\(String(describing: error))")
    #expect(try nova.sessions.current == nil)
  }

  @Test func servicesThatGoNowhereElseCarryNoToken() async throws {
    let backend = MockBackend()
    let transport = RecordingTransport { _, request in backend.respond(to: request) }
    let nova = try await signedIn(transport)
    _ = try await nova.graph.getFollowers(userId: "mock-user-id")
    let tokens = transport.requests.map {
      ($0.url.text.split(separator: "/").last.map(String.init), $0.headers["Authorization"])
    }
    #expect(tokens.first { $0.0 == "login" }?.1 == nil)
    #expect(tokens.first { $0.0 == "followers" }?.1?.hasPrefix("Bearer eyJ") == true)
  }
}

/// A mock backend that holds the responses to sign-ins back until the test asks for them, or the transport shuts down.
private final class SlowSignIn: HTTPTransport {
  private let backend = MockBackend()
  private let arrived = AsyncStream<Void>.makeStream()
  private let released = AsyncStream<Void>.makeStream()
  private let isShutDown = Locked(false)

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard request.url.path.hasSuffix("/login") else { return backend.respond(to: request) }
    arrived.continuation.finish()
    for await _ in released.stream {}
    guard !isShutDown.withLock({ $0 }) else {
      throw TransportError(.shutDown, "the transport was shut down", requestMayHaveLeft: true)
    }
    return backend.respond(to: request)
  }

  func waitForSignIn() async { for await _ in arrived.stream {} }

  func answer() { released.continuation.finish() }

  func shutdown() async {
    isShutDown.withLock { $0 = true }
    answer()
  }
}

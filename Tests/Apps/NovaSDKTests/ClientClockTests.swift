import NovaMock
import NovaSDK
import NovaTestSupport
import NovaTesting
import Testing

@Suite struct ClientClockTests {
  private let busy = RecordingTransport(status: 503, headers: ["Retry-After": "10"], "")

  @Test func callsWaitOnTheClientsClock() async throws {
    let clock = ManualClock(autoAdvances: true)
    let nova = NovaClient(configuration: .builtIn, transport: busy) { $0.clock = clock }
    let error = await apiError { try await nova.graph.isFollowing(followerId: "ann", followeeId: "bob") }
    #expect(error?.attempts.count == 3)
    #expect(clock.elapsed == .seconds(20))
  }

  @Test func soDoCallsOfAClientWithSessions() async throws {
    let clock = ManualClock(autoAdvances: true)
    let nova = NovaClient(configuration: .builtIn, sessionStore: MemorySessionStore(), transport: busy) {
      $0.clock = clock
    }
    let error = await apiError { try await nova.announcements.list() }
    #expect(error?.attempts.count == 3)
    #expect(clock.elapsed == .seconds(20))
  }

  @Test func sessionsExpireOnTheClientsClock() async throws {
    let clock = ManualClock()
    let backend = MockBackend.seeded(7, clock: clock)
    let nova = NovaClient(
      configuration: .builtIn, sessionStore: MemorySessionStore(), transport: MockTransport(backend, clock: clock)
    ) { $0.clock = clock }
    let first = try await nova.sessions.signIn(email: "bruce@nova.social", password: "mock-password")
    clock.advance(by: .seconds(86_400))
    _ = try await nova.graph.getFollowers(userId: "mock-user-id")
    #expect(try nova.sessions.current?.accessToken != first.accessToken)
  }
}

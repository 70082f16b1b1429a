import NovaSDK
import NovaTesting
import Testing

/// Expiry and dates, on a clock that stands still until the test moves it.
@Suite struct Time {
  @Test(arguments: [(3_599, true), (3_601, false)]) func accessTokensLastAnHour(_ seconds: Int, _ isValid: Bool)
    async throws
  {
    let clock = ManualClock()
    let nova = NovaClient.mock(.seeded(7, clock: clock))
    let login = try await nova.auth.login(email: "bruce@nova.social", password: "mock-password")
    clock.advance(by: .seconds(seconds))
    #expect(try await nova.auth.verifyToken(token: login.token).isValid == isValid)
  }

  @Test func postsHaveTheTimeOfTheBackend() async throws {
    // 2024-12-31T23:59:59Z
    let backend = MockBackend(clock: .frozen(at: 1_735_689_599))
    let nova = NovaClient.mock(backend)
    let old = try await nova.content.createPost(creatorId: "ann", content: "old year")
    backend.advanceClock(by: .seconds(1))
    let new = try await nova.content.createPost(creatorId: "ann", content: "new year")
    #expect(old.createdAt == 1_735_689_599 && new.createdAt == 1_735_689_600)
  }
}

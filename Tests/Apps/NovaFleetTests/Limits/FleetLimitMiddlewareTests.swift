import NovaCore
import NovaFleet
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

@Suite(.hangLimit) struct FleetLimitMiddlewareTests {
  private let store = CountedLimits(tokens: 1000)
  private let clock = ManualClock()
  private let request = CreateLikeRequest(userId: "u-1", postId: "p-1")

  private func limiter() throws -> FleetLimiter {
    FleetLimiter(try FleetLimit("t", rate: 100, burst: 200), store: store, clock: clock)
  }

  private func client(_ limiter: FleetLimiter, _ gateway: CountingGateway) throws -> APIClient {
    try .test(gateway, middlewares: [FleetLimitMiddleware(limiter) { _ in .high }], clock: clock)
  }

  @Test func eachCallUsesAToken() async throws {
    let (limiter, gateway) = (try limiter(), CountingGateway())
    let client = try client(limiter, gateway)
    for _ in 0..<3 { _ = try await client.call(SocialRPC.createLike, request) }
    await limiter.shutdown()
    try await waitUntil { store.state.withLock { $0.tokens } == 997 }
    #expect(gateway.requests == 3)
    #expect(store.state.withLock { $0.taken.first } == .high)
  }

  @Test func withoutATokenInTimeNothingIsSent() async throws {
    let (limiter, gateway) = (try limiter(), CountingGateway())
    store.state.withLock { ($0.tokens, $0.wait) = (0, .seconds(3600)) }
    let client = try client(limiter, gateway)
    await #expect {
      try await client.call(SocialRPC.createLike, request, options: CallOptions(timeout: .seconds(5)))
    } throws: { error in
      (error as? APIError)?.code == .rateLimited
    }
    #expect(gateway.requests == 0)
    await limiter.shutdown()
  }

  /// What is wrong is the store, not the number of calls.
  @Test func aStoreThatFailsIsTheReason() async throws {
    struct AbsentStore: FleetLimitStore {
      func take(_ count: Int, of limit: FleetLimit, priority: FleetPriority) async throws -> FleetGrant {
        throw FleetLimitError(.store, "it is away")
      }
      func giveBack(_ count: Int, of limit: FleetLimit) async throws {}
      func pause(_ limit: FleetLimit, for time: Duration) async throws {}
    }
    let limit = try FleetLimit("t", rate: 100, storeFailure: .closed)
    let limiter = FleetLimiter(limit, store: AbsentStore(), clock: clock)
    let gateway = CountingGateway()
    // By another clock, so that only the limiter's time is up.
    let client = try APIClient.test(gateway, middlewares: [FleetLimitMiddleware(limiter)], clock: ContinuousClock())
    let request = request
    let call = Task {
      try await client.call(SocialRPC.createLike, request, options: CallOptions(timeout: .seconds(1800)))
    }
    // The call's deadline, and the next look at the store.
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(3600))
    let error = await apiError { _ = try await call.value }
    #expect(error?.code == .unavailable && error?.reason == "it is away" && error?.advice != nil, "\(error)")
    #expect(gateway.requests == 0)
    await limiter.shutdown()
  }

  @Test func aRefusalStopsTheNextCall() async throws {
    let (limiter, gateway) = (try limiter(), CountingGateway())
    let client = try client(limiter, gateway)
    gateway.answerFirst { _ in HTTPResponse(status: 429, headers: ["Retry-After": "60"], body: []) }
    await #expect(throws: APIError.self) { try await client.call(SocialRPC.createLike, request) }
    gateway.answerFirst { _ in
      Issue.record("a call was sent during the pause")
      return nil
    }
    await #expect(throws: APIError.self) {
      try await client.call(SocialRPC.createLike, request, options: CallOptions(timeout: .seconds(5)))
    }
    try await waitUntil { store.state.withLock { $0.pauses } == [.seconds(60)] }
    await limiter.shutdown()
  }
}

import NovaGraph
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCore

@Suite struct RetryBudgetTests {
  @Test(arguments: [1, 50, 1000])
  func underTotalFailureTheLoadGrowsByATenth(calls: Int) async throws {
    let transport = RecordingTransport { _, _ in HTTPResponse(status: 500) }
    let client = try APIClient.test(
      transport, resilience: Resilience(retry: .standard(attempts: 4), budget: RetryBudget(reserve: 10)),
      clock: ManualClock(autoAdvances: true))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<calls {
        group.addTask {
          _ = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
        }
      }
    }
    let retries = transport.requests.count - calls
    #expect(retries <= 10 + calls / 10)
    #expect(retries >= min(3 * calls, 10))
  }

  @Test func calmTimesFillTheReserveAndNoMore() {
    let budget = RetryBudget(ratio: 0.1, reserve: 3)
    for _ in 0..<1000 { budget.earn() }
    #expect((0..<5).map { _ in budget.spend() } == [true, true, true, false, false])
    for _ in 0..<9 { budget.earn() }
    #expect(!budget.spend())
    budget.earn()
    #expect(budget.spend())
  }

  /// The first call takes the only retry there is. The next has none, until enough calls have paid for one.
  @Test func callsPayForRetriesToCome() async throws {
    let failing: Set<Int> = [0, 2, 12]
    let transport = RecordingTransport { number, _ in
      HTTPResponse(status: failing.contains(number) ? 503 : 200, body: Array(#"{"is_muted":true}"#.utf8))
    }
    let client = try APIClient.test(
      transport, resilience: Resilience(budget: RetryBudget(ratio: 0.1, reserve: 1)),
      clock: ManualClock(autoAdvances: true))
    func call() async -> APIError? {
      await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    }
    #expect(await call() == nil)
    #expect(await call()?.code == .unavailable)
    for _ in 0..<9 { #expect(await call() == nil) }
    #expect(await call() == nil)
    #expect(transport.requests.count == 14)
  }

  @Test func anEmptyBudgetIsSaid() async throws {
    let transport = RecordingTransport { _, _ in HTTPResponse(status: 503) }
    let client = try APIClient.test(
      transport, resilience: Resilience(budget: RetryBudget(ratio: 0, reserve: 0)),
      clock: ManualClock(autoAdvances: true))
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect(error?.attempts.map(\.consequence) == [.stop(reason: .budgetEmpty)])
  }
}

import NovaCore
import Testing

@testable import NovaMock

@Suite struct FaultPlanTests {
  private let now = ContinuousClock().moment

  @Test func aThrottleRefillsWithTime() throws {
    let throttle = FaultThrottle(count: 2, seconds: 1)
    var bucket = TokenBucket(throttle, at: now)
    func retryAfter(_ milliseconds: Int) -> Int? {
      bucket.retryAfter(throttle, at: now.advanced(by: .milliseconds(milliseconds)))
    }
    #expect([0, 0, 0].map(retryAfter) == [nil, nil, 1])
    #expect([499, 500, 500].map(retryAfter) == [1, nil, 1])
    // No more than its count is saved up.
    #expect([60_000, 60_000, 60_000].map(retryAfter) == [nil, nil, 1])
  }

  /// Once the outcome is clear, other outcomes keep their turns; waits still count.
  @Test func waitsCountAfterTheOutcome() throws {
    var faults = try Faults(["503x1", "404x1", "latency 50ms"])
    for status in [503, 404] {
      let plan = faults.plan(service: "graph", rpc: "graph.IsMuted", at: now)
      #expect(plan?.outcome == .status(status, retryAfter: nil) && plan?.wait == .milliseconds(50), "\(status)")
    }
  }
}

import NovaGraph
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCore

/// The one rule for how far apart repetitions are.
@Suite struct PacingTests {
  private static let requests: [Duration?] = [
    nil, .zero, .milliseconds(10), .seconds(1), .seconds(30), .seconds(86_400), .seconds(366 * 86_400), .seconds(-5),
  ]

  @Test func noServerMakesAClientBusyOrSilent() {
    var generator = SeededGenerator(seed: 41)
    for _ in 0..<2000 {
      let floor = Duration.milliseconds(Int.random(in: 1...2000, using: &generator))
      let base = floor * Int.random(in: 1...8, using: &generator)
      let backoff = Backoff(
        base: base, factor: .random(in: 1...4, using: &generator),
        maximum: base * Int.random(in: 1...100, using: &generator))
      let ceiling = Duration.seconds(Int.random(in: 1...400, using: &generator))
      let pacing = Pacing(backoff, floor: floor, ceiling: ceiling)
      let requested = Self.requests.randomElement(using: &generator) ?? nil
      for failures in [1, 2, 3, 10, 1000, .max] {
        let wait = pacing.wait(after: failures, requested: requested, random: .random(in: 0..<1, using: &generator))
        #expect(wait >= floor * 0.49, "\(pacing) \(failures) \(String(describing: requested))")
        #expect(wait <= max(ceiling, backoff.maximum), "\(pacing) \(failures) \(String(describing: requested))")
      }
    }
  }

  @Test func theFloorGrowsAsTheBackoffDoes() {
    let pacing = Pacing(
      Backoff(base: .seconds(1), maximum: .seconds(30)), floor: .milliseconds(500), ceiling: .seconds(300))
    let waits = (1...8).map { pacing.wait(after: $0, requested: .zero, random: 0) }
    #expect(waits == [250, 500, 1000, 2000, 4000, 7500, 7500, 7500].map { .milliseconds($0) })
  }

  @Test func whatTheServerAsksForCountsWithinTheBounds() {
    let pacing = Pacing(
      Backoff(base: .seconds(1), maximum: .seconds(30)), floor: .milliseconds(500), ceiling: .seconds(300))
    #expect(pacing.wait(after: 1, requested: .seconds(7), random: 0.9) == .seconds(7))
    #expect(pacing.wait(after: 1, requested: .seconds(86_400), random: 0) == .seconds(300))
    #expect(pacing.wait(after: 1, requested: .milliseconds(10), random: 0) == .milliseconds(250))
  }

  @Test func aBackoffWithoutWaitsHasNoFloor() {
    let pacing = Pacing(Backoff(base: .zero), floor: .milliseconds(100))
    #expect(pacing.wait(after: 1, requested: .zero, random: 0.9) == .zero)
    #expect(pacing.wait(after: 5, random: 0.9) == .zero)
  }

  @Test func aFewRepetitionsCanBeFree() {
    let now = ContinuousClock.now
    let pacing = Pacing(Backoff(base: .seconds(1), maximum: .seconds(30)), floor: .seconds(1))
    var repetition = Repetition(pacing, allowance: 2, memory: .seconds(30))
    func next(after wait: Duration) -> Duration { repetition.failed(at: now.advanced(by: wait), random: 0) }
    #expect(next(after: .zero) == .zero && next(after: .zero) == .zero)
    #expect(next(after: .zero) == .milliseconds(500) && next(after: .seconds(1)) == .seconds(1))
    // Long quiet.
    #expect(next(after: .seconds(33)) == .zero)
    repetition.works()
    #expect(repetition.failed(requested: .zero, at: now.advanced(by: .seconds(34)), random: 0) == .milliseconds(500))
  }

  /// A policy without a limit of attempts, too, does not keep a gateway busy that always says: at once.
  @Test func retriesAfterNoTimeAreApart() async throws {
    let clock = ManualClock(autoAdvances: true)
    let transport = RecordingTransport { _, _ in
      HTTPResponse(status: 503, headers: ["Retry-After": "0"], body: [])
    }
    let client = try APIClient.test(
      transport, resilience: Resilience(retry: RetryPolicy(rules: [.attempts(8)]), budget: nil, breaker: nil),
      clock: clock, random: { 0 })
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect(error?.attempts.count == 8)
    // 50 ms, 100 ms, … 0.75 s.
    #expect(clock.elapsed > .milliseconds(2990), "\(clock.elapsed)")
  }
}

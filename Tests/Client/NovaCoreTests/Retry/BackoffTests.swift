import Testing

@testable import NovaCore

@Suite struct BackoffTests {
  @Test func waitsGrowToTheMaximumAndAreARandomPartOfIt() {
    let backoff = Backoff(base: .seconds(2), factor: 2, maximum: .seconds(30))
    let ceilings = (1...7).map { backoff.ceiling(after: $0) }
    #expect(ceilings == [2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
    #expect(backoff.wait(after: 3, random: 0) == .zero)
    #expect(backoff.wait(after: 3, random: 0.25) == .seconds(2))
  }

  @Test func anyNumbersGiveAWaitWithinTheMaximum() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<1000 {
      let backoff = Backoff(
        base: .milliseconds(Int.random(in: -10...100_000, using: &generator)),
        factor: .random(in: -1...50, using: &generator),
        maximum: .milliseconds(Int.random(in: -10...100_000, using: &generator)))
      let attempt = Int.random(in: -2...10_000, using: &generator)
      let wait = backoff.wait(after: attempt, random: .random(in: 0..<1, using: &generator))
      #expect(wait >= .zero && wait <= backoff.maximum, "\(backoff) after \(attempt)")
    }
  }

  @Test(arguments: [
    (Duration.milliseconds(1500), "1500m"), (.seconds(30), "30000m"), (.microseconds(1), "1m"), (.zero, "1m"),
    (.milliseconds(99_999_999), "99999999m"), (.milliseconds(100_000_000), "100000S"),
    (.seconds(Int64.max), "9223372036S"),
  ])
  func timesAreWrittenAsGRPCWritesThem(time: Duration, text: String) {
    #expect(CallRunner.grpcTimeout(time) == text || text.utf8.count > 9)
    #expect(CallRunner.grpcTimeout(time).utf8.count <= 9)
  }
}

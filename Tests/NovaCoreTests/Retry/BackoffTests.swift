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

@Suite struct HTTPDateTests {
  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
  ])
  func readsEachForm(text: String, seconds: Int64) {
    #expect(HTTPDate.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 31 Feb 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 199 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
    "Sun, -6 Nov 1994 08:49:37 GMT", "784111777", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 +8:49:37 GMT",
  ])
  func refusesEverythingElse(text: String) {
    #expect(HTTPDate.seconds(text) == nil)
  }

  @Test func whatIsWrittenIsReadAgain() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let seconds = Int64.random(in: -2_208_988_800...253_402_300_799, using: &generator)
      #expect(HTTPDate.seconds(HTTPDate.text(seconds)) == seconds)
    }
    #expect(HTTPDate.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
  }
}

import NovaCore
import Testing

@testable import NovaCLI

@Suite struct LatencyHistogramTests {
  private func histogram(_ latencies: [Duration]) -> LatencyHistogram {
    latencies.reduce(into: LatencyHistogram()) { $0.add($1) }
  }

  @Test func anEmptyOneHasZeros() {
    let histogram = LatencyHistogram()
    #expect(histogram.count == 0 && histogram.mean == .zero && histogram.value(at: 0.5) == .zero)
  }

  /// The value of each percentile is that of the sorted latencies, at most 0.1 % higher.
  @Test(arguments: 0..<20 as Range<UInt64>) func percentilesAreThoseOfTheSortedList(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = 1 + random.next(below: 3000)
    // From nanoseconds to minutes, as many in each order of magnitude.
    let latencies = (0..<count).map { _ in Duration.nanoseconds(random.next() >> UInt64(24 + random.next(below: 40))) }
    let histogram = histogram(latencies)
    let sorted = latencies.sorted()
    for fraction in [0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1] {
      let rank = max(1, Int((fraction * Double(count) - 1e-6).rounded(.up)))
      let (expected, found) = (sorted[rank - 1], histogram.value(at: fraction))
      #expect(found >= expected && found <= expected * 1.001, "seed \(seed), \(fraction): \(found) for \(expected)")
    }
    #expect(histogram.minimum == sorted[0] && histogram.maximum == sorted[count - 1])
    #expect(histogram.mean == latencies.reduce(.zero, +) / count)
    #expect(histogram.count == count)
  }

  @Test(arguments: [0, 1, 1023, 1024, 2047, 2048, 2049, 4095, 4096, 1_000_000, 999_999_999, 1 << 42 - 1] as [Int64])
  func theEdgesOfBucketsAreExactEnough(_ nanoseconds: Int64) {
    let latency = Duration.nanoseconds(nanoseconds)
    // Between two others, so that neither the minimum nor the maximum limits it.
    let found = histogram([.zero, latency, LatencyHistogram.longest]).value(ofRank: 2)
    #expect(found >= latency && found <= latency * 1.001, "\(found) for \(latency)")
  }

  @Test func whatIsTooLongOrNegativeIsLimited() {
    let histogram = histogram([.seconds(-1), .seconds(100_000)])
    #expect(histogram.minimum == .zero && histogram.maximum == LatencyHistogram.longest)
  }

  @Test(arguments: [(-5, 1), (0, 1), (1, 1), (2, 2), (3, 3), (9, 3)]) func ranksOutsideAreTheNearest(
    _ rank: Int, _ expected: Int
  ) {
    #expect(
      histogram([.microseconds(1), .microseconds(2), .microseconds(3)]).value(ofRank: rank) == .microseconds(expected))
  }
}

/// A histogram of times, with an error of at most 1.6 %.
struct Latencies {
  private var counts = [Int](repeating: 0, count: 64 * 40)
  private(set) var count = 0
  private var maximum = 0

  mutating func add(nanoseconds: Int) {
    let value = max(0, nanoseconds / 1000)
    let shift = max(0, Int.bitWidth - value.leadingZeroBitCount - 7)
    counts[min(counts.count - 1, shift * 64 + value >> shift)] += 1
    count += 1
    maximum = max(maximum, value)
  }

  mutating func add(_ other: Latencies) {
    for index in counts.indices { counts[index] += other.counts[index] }
    count += other.count
    maximum = max(maximum, other.maximum)
  }

  /// The time in microseconds that this part of all times does not exceed.
  func quantile(_ part: Double) -> Int {
    var rest = Int((Double(count) * part).rounded(.up))
    for (index, count) in counts.enumerated() {
      rest -= count
      if rest > 0 { continue }
      let shift = max(0, index / 64 - 1)
      return min(maximum, (index - shift * 64 + 1) << shift - 1)
    }
    return maximum
  }

  /// The members of a report.
  var report: [String: Int] {
    ["p50": quantile(0.5), "p99": quantile(0.99), "p999": quantile(0.999), "max": maximum]
  }
}

import NovaCore

/// Counts latencies in buckets, each less than 0.1 % of its latency wide, so that memory does not grow with the number
/// of latencies.
///
/// The first buckets have one nanosecond each; from 2,048 ns on, the width doubles whenever the latency does. Latencies
/// of more than ``longest`` count as that long.
struct LatencyHistogram: Sendable, Equatable {
  /// The longest latency with a bucket of its own: about 73 minutes.
  static let longest = Duration.nanoseconds(largest)
  private static let largest: Int64 = 1 << 42 - 1
  /// The number of buckets until the width doubles.
  private static let half = 1024
  private static let halfBits = 10

  private var counts: [UInt32] = []
  /// The number of latencies.
  private(set) var count = 0
  /// The shortest latency; zero without any.
  private(set) var minimum = Duration.zero
  /// The longest latency; zero without any.
  private(set) var maximum = Duration.zero
  private var sum = Duration.zero

  /// The mean of all latencies; zero without any.
  var mean: Duration { count == 0 ? .zero : sum / count }

  /// Counts a latency. A negative one counts as zero.
  mutating func add(_ latency: Duration) {
    let latency = max(.zero, min(latency, Self.longest))
    let bucket = Self.bucket(latency.clampedNanoseconds)
    if bucket >= counts.count { counts += Array(repeating: 0, count: bucket + 1 - counts.count) }
    counts[bucket] += 1
    minimum = count == 0 ? latency : min(minimum, latency)
    maximum = max(maximum, latency)
    sum += latency
    count += 1
  }

  /// The latency that this part of all latencies does not exceed, at most 0.1 % too high.
  ///
  /// - Parameter fraction: 0 for the shortest latency, 0.5 for the median, 1 for the longest.
  /// - Returns: zero without latencies.
  func value(at fraction: Double) -> Duration { value(ofRank: Self.rank(fraction, of: count)) }

  /// The latency with a rank: 1 for the shortest, ``count`` for the longest; others count as the nearest.
  func value(ofRank rank: Int) -> Duration {
    guard count > 0 else { return .zero }
    if rank <= 1 { return minimum }
    if rank >= count { return maximum }
    var seen = 0
    for bucket in counts.indices {
      seen += Int(counts[bucket])
      if seen >= rank { return min(max(.nanoseconds(Self.highest(of: bucket)), minimum), maximum) }
    }
    return maximum
  }

  /// The rank of a percentile among `count` latencies.
  private static func rank(_ fraction: Double, of count: Int) -> Int {
    // The product of 0.999 and 1000 can be a little more than 999.
    Int((fraction * Double(count) - 1e-6).rounded(.up))
  }

  private static func bucket(_ nanoseconds: Int64) -> Int {
    let value = Int(nanoseconds)
    guard value >= 2 * half else { return value }
    let shift = Int.bitWidth - value.leadingZeroBitCount - 1 - halfBits
    return shift * half + value >> shift
  }

  /// The highest number of nanoseconds that a bucket counts.
  private static func highest(of bucket: Int) -> Int64 {
    guard bucket >= 2 * half else { return Int64(bucket) }
    let shift = bucket / half - 1
    return Int64((bucket - shift * half + 1) << shift - 1)
  }
}

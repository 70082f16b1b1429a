import NovaCore

/// The latencies of a load in a few figures.
struct LatencyFigures: Sendable, Equatable {
  /// The latency that a part of all requests does not exceed.
  struct Percentile: Sendable, Equatable {
    /// 50 for the median, 99.9 for all but one in 1,000.
    let percentile: Double
    let value: Duration
    /// Where the percentile is in 95 of 100 runs that differ only by chance.
    let interval: ClosedRange<Duration>

    /// `p99.9`
    var name: String {
      let text = String(percentile)
      return "p\(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)"
    }
  }

  let minimum, mean, maximum: Duration
  /// Those for which there are enough requests, in ascending order.
  let percentiles: [Percentile]

  private static let all = [50.0, 90, 95, 99, 99.9]

  /// - Parameter slices: the same latencies, in parts of the time. Default: the interval of a percentile is computed from
  ///   the number of latencies alone.
  init(_ histogram: LatencyHistogram, slices: [LatencyHistogram] = []) {
    (minimum, mean, maximum) = (histogram.minimum, histogram.mean, histogram.maximum)
    // With 500 requests, p99.9 would be the longest of them.
    let known = Self.all.filter { Double(histogram.count) * (100 - $0) >= 100 - 1e-6 }
    percentiles = known.map { percentile in
      let value = histogram.value(at: percentile / 100)
      let noise = PercentileNoise(fraction: percentile / 100, histogram, slices: slices)
      return Percentile(percentile: percentile, value: value, interval: noise.interval(around: value))
    }
  }

  subscript(percentile: Double) -> Percentile? { percentiles.first { $0.percentile == percentile } }
}

extension LatencyFigures {
  var json: JSONValue {
    [
      "min": minimum.jsonMilliseconds, "mean": mean.jsonMilliseconds, "max": maximum.jsonMilliseconds,
      "percentiles": .array(
        percentiles.map { percentile in
          [
            "percentile": .number(String(percentile.name.dropFirst())), "value": percentile.value.jsonMilliseconds,
            "low": percentile.interval.lowerBound.jsonMilliseconds,
            "high": percentile.interval.upperBound.jsonMilliseconds,
          ]
        }),
    ]
  }

  /// Nil if the JSON is not that of figures.
  init?(json: JSONValue?) {
    guard let minimum = json?["min"]?.milliseconds, let mean = json?["mean"]?.milliseconds,
      let maximum = json?["max"]?.milliseconds, let elements = json?["percentiles"]?.elements
    else { return nil }
    (self.minimum, self.mean, self.maximum) = (minimum, mean, maximum)
    percentiles = elements.compactMap { element in
      guard let percentile = element["percentile"]?.doubleValue, let value = element["value"]?.milliseconds,
        let low = element["low"]?.milliseconds, let high = element["high"]?.milliseconds, low <= high
      else { return nil }
      return Percentile(percentile: percentile, value: value, interval: low...high)
    }
    guard percentiles.count == elements.count else { return nil }
  }
}

/// How much a percentile varies by chance.
private struct PercentileNoise {
  let fraction: Double
  let histogram: LatencyHistogram
  let slices: [LatencyHistogram]

  init(fraction: Double, _ histogram: LatencyHistogram, slices: [LatencyHistogram]) {
    (self.fraction, self.histogram, self.slices) = (fraction, histogram, slices)
  }

  /// The wider of two intervals: by the ranks, as if all latencies were independent of each other, and by how much the
  /// parts of the time differ, because neighbors in time are not.
  func interval(around value: Duration) -> ClosedRange<Duration> {
    let count = Double(histogram.count)
    let (rank, spread) = (count * fraction, 1.96 * (count * fraction * (1 - fraction)).squareRoot())
    let low = histogram.value(ofRank: Int((rank - spread).rounded(.down)))
    let high = histogram.value(ofRank: Int((rank + spread).rounded(.up)) + 1)
    let half = halfWidth
    return max(.zero, min(low, value - half))...max(high, value + half)
  }

  /// The value of Student's distribution for 95 % and ten parts.
  private static let student = 2.26

  private var halfWidth: Duration {
    let values = slices.filter { $0.count > 0 }.map { $0.value(at: fraction) / .nanoseconds(1) }
    guard values.count > 1 else { return .zero }
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    return .nanoseconds(Int64((Self.student * (variance / count).squareRoot()).rounded()))
  }
}

extension Duration {
  /// Milliseconds with up to three decimal places.
  var jsonMilliseconds: JSONValue { .decimal(self / .milliseconds(1)) }
}

extension JSONValue {
  /// A number with up to three decimal places.
  static func decimal(_ number: Double) -> JSONValue {
    let rounded = (number * 1000).rounded() / 1000
    return .number(rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded))
  }

  /// The number, if this is one.
  var doubleValue: Double? {
    if case .number(let text) = self { Double(text) } else { nil }
  }

  /// The duration of a number of milliseconds, at most that of the longest latency.
  fileprivate var milliseconds: Duration? {
    guard let number = doubleValue, number >= 0, number <= LatencyHistogram.longest / .milliseconds(1) + 1 else {
      return nil
    }
    return .milliseconds(1) * number
  }
}

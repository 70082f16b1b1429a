import NovaCore

/// The speed of an upload over the last seconds.
struct UploadRate: Sendable {
  /// How far back the speed is measured.
  static let window = Duration.seconds(8)

  private var samples: [(time: ContinuousClock.Instant, bytes: Int)] = []

  /// Notes how many bytes are there at a time. A count below the last one starts over.
  mutating func note(_ bytes: Int, at time: ContinuousClock.Instant) {
    if let last = samples.last, bytes < last.bytes { samples = [] }
    samples.append((time, bytes))
    // The last sample before the window stays: chunks may take longer than the window.
    while samples.count > 2, samples[1].time.duration(to: time) >= Self.window { samples.removeFirst() }
  }

  /// Starts over, after a pause for example.
  mutating func reset() { samples = [] }

  /// Bytes per second; nil before there are two samples at different times.
  var bytesPerSecond: Double? {
    guard let first = samples.first, let last = samples.last, first.time < last.time else { return nil }
    return Double(last.bytes - first.bytes) / (first.time.duration(to: last.time) / .seconds(1))
  }
}

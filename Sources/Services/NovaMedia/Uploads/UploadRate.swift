import NovaCore

/// The speed of an upload over the last few seconds.
struct UploadRate: Sendable {
  /// The period over which the speed is measured.
  static let window = Duration.seconds(8)

  private var samples: [(time: ContinuousClock.Instant, bytes: Int)] = []

  /// Records the number of bytes at a time. A number below the last one starts over.
  mutating func note(_ bytes: Int, at time: ContinuousClock.Instant) {
    if let last = samples.last, bytes < last.bytes { samples = [] }
    samples.append((time, bytes))
    // Keeps the last sample before the window, because a chunk may take longer than the window.
    while samples.count > 2, samples[1].time.duration(to: time) >= Self.window { samples.removeFirst() }
  }

  /// Starts over, for example after a pause.
  mutating func reset() { samples = [] }

  /// Bytes per second; nil until there are two samples at different times.
  var bytesPerSecond: Double? {
    guard let first = samples.first, let last = samples.last, first.time < last.time else { return nil }
    return Double(last.bytes - first.bytes) / (first.time.duration(to: last.time) / .seconds(1))
  }
}

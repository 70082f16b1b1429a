import NovaCore

/// How much later an answer comes.
struct FaultLatency: Sendable, Hashable {
  enum Shape: Sendable, Hashable { case even, normal }

  /// More than this is a `hang`. The server of `nova serve` gives no request more than 15 s.
  static let maximumMilliseconds = 10_000.0

  let milliseconds: Double
  let spread: Double
  let shape: Shape

  /// One wait. It uses up the same count of random numbers whatever comes out.
  func draw(_ generator: inout SeededGenerator) -> Duration {
    let deviation: Double =
      switch shape {
      case .even: 2 * generator.nextUnit() - 1
      // The sum of twelve has the variance 1 and, unlike logarithms, the same digits on every machine.
      case .normal: (0..<12).reduce(-6) { sum, _ in sum + generator.nextUnit() }
      }
    let wait = min(max(0, milliseconds + deviation * spread), Self.maximumMilliseconds)
    return .microseconds(Int64(wait * 1000))
  }
}

extension SeededGenerator {
  /// A number from 0 up to, but not including, 1.
  mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }
}

import NovaCore

/// The effect of a fault on a call.
enum FaultEffect: Sendable, Hashable {
  /// The call is unaffected.
  case pass
  case status(Int, retryAfter: Int?)
  case drop
  case dropAfter
  case hang
  /// A byte of an upload's chunk or of a downloaded file is changed on its way.
  case corrupt
  /// The connection ends after so many bytes of the response's body.
  case cut(Int)
  /// Every event of a stream is sent twice.
  case duplicate
  /// A stream of events is silent for so many seconds, and then continues.
  case stall(seconds: Int)
  /// All events are forgotten when a stream of events begins.
  case newEpoch
  /// A stream of events is silent for ever after so many bytes, and its connection stays open.
  case halfOpen(Int)
  /// The frames of a call over gRPC are wrong; calls over HTTP/JSON are unaffected.
  case frames(FrameFault)
  case latency(FaultLatency)
  case throttle(FaultThrottle)
  case bandwidth(FaultBandwidth)

  /// The effect on a stream of events, if this is one.
  var ofStream: StreamFault? {
    switch self {
    case .duplicate: .duplicate
    case .stall(let seconds): .stall(.seconds(seconds))
    case .halfOpen(let count): .halfOpen(after: count)
    default: nil
    }
  }

  /// The effect on the messages of a WebSocket connection, if there is one.
  var ofSocket: StreamFault? {
    if case .cut(let count) = self { .cut(after: count) } else { ofStream }
  }

  /// Whether the effect decides the outcome of the call.
  var isOutcome: Bool {
    switch self {
    case .latency, .bandwidth: false
    default: true
    }
  }

  /// How long the response is delayed.
  func wait(_ generator: inout SeededGenerator) -> Duration {
    if case .latency(let latency) = self { latency.draw(&generator) } else { .zero }
  }
}

/// The delay of a response.
struct FaultLatency: Sendable, Hashable {
  enum Shape: Sendable, Hashable { case even, normal }

  /// The maximum latency; use `hang` for more. `nova serve` ends every request after 300 s.
  static let maximumMilliseconds = 10_000.0

  let milliseconds: Double
  let spread: Double
  let shape: Shape

  /// Draws one delay. It always consumes the same number of random values.
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
  /// Returns a number in 0..<1.
  mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }
}

/// The number of calls allowed in an interval.
struct FaultThrottle: Sendable, Hashable {
  let count: Int
  let seconds: Int
}

/// A token bucket that holds `count` tokens and refills at the throttle's rate.
struct TokenBucket: Sendable {
  private var tokens: Double
  private var time: Moment

  init(_ throttle: FaultThrottle, at time: Moment) {
    tokens = Double(throttle.count)
    self.time = time
  }

  /// Takes a token, and returns nil; without one, returns the whole seconds until the next token.
  mutating func retryAfter(_ throttle: FaultThrottle, at now: Moment) -> Int? {
    let rate = Double(throttle.count) / Double(throttle.seconds)
    if now > time {
      tokens = min(Double(throttle.count), tokens + time.duration(to: now) / .seconds(1) * rate)
      time = now
    }
    // Tolerate rounding errors: tenths do not add up exactly.
    if tokens > 0.999_999 {
      tokens -= 1
      return nil
    }
    return max(1, Int(((1 - tokens) / rate).rounded(.up)))
  }
}

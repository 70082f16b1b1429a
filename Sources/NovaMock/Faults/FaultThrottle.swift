/// How many calls are let through in a time.
struct FaultThrottle: Sendable, Hashable {
  let count: Int
  let seconds: Int
}

/// Lets `count` calls through at once, and then one whenever its share of the time has passed.
struct FaultBucket: Sendable {
  private var tokens: Double
  private var time: ContinuousClock.Instant

  init(_ throttle: FaultThrottle, at time: ContinuousClock.Instant) {
    tokens = Double(throttle.count)
    self.time = time
  }

  /// How many whole seconds a call has to wait; nil when it may pass.
  mutating func retryAfter(_ throttle: FaultThrottle, at now: ContinuousClock.Instant) -> Int? {
    let rate = Double(throttle.count) / Double(throttle.seconds)
    if now > time {
      tokens = min(Double(throttle.count), tokens + time.duration(to: now) / .seconds(1) * rate)
      time = now
    }
    // A little less than one is one: tenths do not add up exactly.
    if tokens > 0.999_999 {
      tokens -= 1
      return nil
    }
    return max(1, Int(((1 - tokens) / rate).rounded(.up)))
  }
}

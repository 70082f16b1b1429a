/// The waits between attempts: a random time, up to a limit that grows with each attempt (exponential backoff with full
/// jitter).
///
/// Full jitter spreads out the clients that one outage has synchronized. A server's `Retry-After` takes its place,
/// within bounds: see `RetryPolicy.backoff`.
public struct Backoff: Sendable, Equatable {
  /// The limit before the second attempt. Default 2 s.
  public var base: Duration
  /// The factor by which the limit grows with each attempt. Default 2.
  public var factor: Double
  /// The highest limit. Default 30 s.
  public var maximum: Duration

  /// Creates a backoff.
  public init(base: Duration = .seconds(2), factor: Double = 2, maximum: Duration = .seconds(30)) {
    self.base = max(.zero, base)
    self.factor = max(1, factor)
    self.maximum = max(.zero, maximum)
  }

  /// The longest wait after this attempt, counted from 1; never negative, and at most a day.
  package func ceiling(after attempt: Int) -> Duration {
    // Bounded for all settings: `Duration` traps on overflow, and so do clocks that should wait forever.
    let longest = min(max(maximum, .zero), .seconds(86_400))
    let factor = factor >= 1 ? min(factor, 1000) : 1
    var ceiling = min(max(base, .zero), longest)
    guard factor > 1, ceiling > .zero else { return ceiling }
    var number = 1
    while number < attempt, ceiling < longest {
      ceiling = min(max(ceiling * factor, ceiling + .nanoseconds(1)), longest)
      number += 1
    }
    return ceiling
  }

  /// The wait after this attempt.
  ///
  /// - Parameter random: in 0..<1.
  package func wait(after attempt: Int, random: Double) -> Duration { ceiling(after: attempt) * random }
}

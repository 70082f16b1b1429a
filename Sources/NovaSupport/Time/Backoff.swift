/// How long to wait between attempts: exponential with full jitter, a random part of a time that grows.
///
/// Full jitter spreads the callers that one outage has brought into step. A server's `Retry-After` is used in its place,
/// within bounds: see `RetryPolicy.backoff`.
public struct Backoff: Sendable, Equatable {
  /// The most that is waited before the second attempt. Default 2 s.
  public var base: Duration
  /// How much that grows with each attempt. Default 2.
  public var factor: Double
  /// The most that is waited ever. Default 30 s.
  public var maximum: Duration

  /// Creates a backoff.
  public init(base: Duration = .seconds(2), factor: Double = 2, maximum: Duration = .seconds(30)) {
    self.base = max(.zero, base)
    self.factor = max(1, factor)
    self.maximum = max(.zero, maximum)
  }

  /// The longest wait behind the attempt of this number, counted from 1; never negative, and at most a day.
  package func ceiling(after attempt: Int) -> Duration {
    // Whatever numbers were given: durations trap where they overflow, and so do clocks that are to wait for ever.
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

  /// The wait behind the attempt of this number.
  ///
  /// - Parameter random: 0..<1.
  package func wait(after attempt: Int, random: Double) -> Duration { ceiling(after: attempt) * random }
}

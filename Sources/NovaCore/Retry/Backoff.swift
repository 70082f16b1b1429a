/// How long to wait between attempts: exponential with full jitter, a random part of a time that grows.
///
/// Full jitter spreads the callers that one outage has brought into step. A server's `Retry-After` is used in its place.
public struct Backoff: Sendable, Hashable {
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

  /// The longest wait behind the attempt of this number, counted from 1.
  func ceiling(after attempt: Int) -> Duration {
    var ceiling = min(base, maximum)
    for _ in 1..<max(1, attempt) where ceiling < maximum { ceiling = min(ceiling * factor, maximum) }
    return ceiling
  }

  /// The wait behind the attempt of this number.
  ///
  /// - Parameter random: 0..<1.
  func wait(after attempt: Int, random: Double) -> Duration { ceiling(after: attempt) * random }
}

/// The waits between repetitions: reconnections, retries, probes, checks, and rounds of sending.
///
/// Normally, a wait is a random time, up to a limit that grows. A server's request (`Retry-After`, `retry:`, RetryInfo)
/// takes its place, but no server can make a client busy or silent: a wait is never shorter than a floor, which grows
/// with each consecutive failure, and never longer than the ceiling in the settings.
package struct Pacing: Sendable, Equatable {
  /// The waits when the server requests nothing.
  package var backoff: Backoff
  /// The shortest wait after the first consecutive failure; half of it is random. It grows with the backoff, and never
  /// exceeds it: a backoff without waits has no floor.
  package var floor: Duration
  /// The longest wait that a server can request; nil if a deadline limits it.
  package var ceiling: Duration?

  package init(_ backoff: Backoff, floor: Duration, ceiling: Duration? = nil) {
    (self.backoff, self.floor, self.ceiling) = (backoff, floor, ceiling)
  }

  /// The wait after this many consecutive failures.
  ///
  /// - Parameters:
  ///   - failures: counted from 1.
  ///   - requested: the wait that the server requests.
  ///   - random: in 0..<1.
  package func wait(after failures: Int, requested: Duration? = nil, random: Double) -> Duration {
    let part = backoff.base > .zero ? min(1, floor / backoff.base) : 0
    let shortest = backoff.ceiling(after: failures) * part * (0.5 + 0.5 * random)
    guard let requested else { return max(shortest, backoff.wait(after: failures, random: random)) }
    return max(shortest, min(requested, ceiling ?? requested))
  }
}

/// Counts the consecutive failures of something that is repeated, and returns the wait before the next time.
package struct Repetition: Sendable {
  private let pacing: Pacing
  /// How many consecutive repetitions need no wait.
  private let allowance: Int
  /// How long there must be no failure until the count restarts; nil for never.
  private let memory: Duration?
  /// The number of consecutive failures, including the last one.
  package private(set) var failures = 0
  /// The number of failures that used up ``allowance``.
  private var freeFailures = 0
  /// When the last wait ended.
  private var last: ContinuousClock.Instant?

  /// - Parameters:
  ///   - allowance: how many consecutive repetitions need no wait.
  ///   - memory: how long there must be no failure until the count restarts. Default: the count never restarts by
  ///     itself.
  package init(_ pacing: Pacing, allowance: Int = 0, memory: Duration? = nil) {
    (self.pacing, self.allowance, self.memory) = (pacing, allowance, memory)
  }

  /// Records a success: the next failure is the first in a row.
  package mutating func works() { (failures, freeFailures) = (0, 0) }

  /// Records a failure, or a repetition without a result.
  ///
  /// - Parameters:
  ///   - requested: the wait that the server requests.
  ///   - random: in 0..<1.
  /// - Returns: how long to wait before the next time.
  package mutating func failed(
    requested: Duration? = nil, at now: ContinuousClock.Instant, random: Double
  ) -> Duration {
    if let last, let memory, last.duration(to: now) > memory { works() }
    var wait = Duration.zero
    if freeFailures < allowance, requested == nil {
      freeFailures += 1
    } else {
      failures += 1
      wait = pacing.wait(after: failures, requested: requested, random: random)
    }
    last = now.advanced(by: wait)
    return wait
  }
}

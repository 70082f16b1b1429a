/// How far apart the repetitions of something are: reconnections, retries, probes, looks, and rounds of sending all take
/// their waits from here.
///
/// Without a request of the server, a wait is a random part of a time that grows. A request (`Retry-After`, `retry:`,
/// RetryInfo) takes its place, but no server can make a client busy or silent: a wait is never shorter than a floor, which
/// grows with each failure in a row, and never longer than the ceiling of the settings.
package struct Pacing: Sendable, Equatable {
  /// How long to wait where the server does not request anything.
  package var backoff: Backoff
  /// The shortest wait after the first failure in a row, of which half is random. It grows as the backoff does, and is
  /// never longer than that: a backoff without waits has no floor.
  package var floor: Duration
  /// The longest wait that a server can request; nil where a deadline ends it.
  package var ceiling: Duration?

  package init(_ backoff: Backoff, floor: Duration, ceiling: Duration? = nil) {
    (self.backoff, self.floor, self.ceiling) = (backoff, floor, ceiling)
  }

  /// The wait after this many failures in a row.
  ///
  /// - Parameters:
  ///   - failures: counted from 1.
  ///   - requested: what the server asks for.
  ///   - random: 0..<1.
  package func wait(after failures: Int, requested: Duration? = nil, random: Double) -> Duration {
    let part = backoff.base > .zero ? min(1, floor / backoff.base) : 0
    let shortest = backoff.ceiling(after: failures) * part * (0.5 + 0.5 * random)
    guard let requested else { return max(shortest, backoff.wait(after: failures, random: random)) }
    return max(shortest, min(requested, ceiling ?? requested))
  }
}

/// Counts the failures in a row of something that is repeated, and says how long to wait before the next time.
package struct Repetition: Sendable {
  private let pacing: Pacing
  /// How many repetitions in a row need not wait.
  private let allowance: Int
  /// How long it must be quiet, so that the next failure is the first in a row; nil for never.
  private let memory: Duration?
  /// How many in a row brought nothing, the last one included.
  package private(set) var failures = 0
  /// The failures before ``allowance`` are spent.
  private var freeFailures = 0
  /// When the last wait was over.
  private var last: ContinuousClock.Instant?

  /// - Parameters:
  ///   - allowance: how many repetitions in a row need not wait.
  ///   - memory: how long it must be quiet, so that the next failure is the first in a row. Default: failures are never
  ///     forgotten.
  package init(_ pacing: Pacing, allowance: Int = 0, memory: Duration? = nil) {
    (self.pacing, self.allowance, self.memory) = (pacing, allowance, memory)
  }

  /// It has brought something: the next failure is the first in a row.
  package mutating func works() { (failures, freeFailures) = (0, 0) }

  /// It has failed, or brought nothing.
  ///
  /// - Parameters:
  ///   - requested: what the server asks for.
  ///   - random: 0..<1.
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

import NovaCore

/// When entries are due. The disk has times of day, which anyone can set; waits that this process has begun are
/// measured by the clock that only moves forward.
package struct RetrySchedule: Sendable {
  /// When an entry is due.
  package struct Due: Sendable {
    /// The time of day, in Unix seconds, for the disk.
    package let time: Double
    package let instant: ContinuousClock.Instant

    fileprivate init(time: Double, instant: ContinuousClock.Instant) { (self.time, self.instant) = (time, instant) }

    /// After a wait that begins now.
    init(after wait: Duration, _ clock: any CallClock) {
      self.init(time: clock.unixTime + wait / .seconds(1), instant: clock.now.advanced(by: wait))
    }
  }

  private var known: [Int64: Due] = [:]

  static let shortestWait = Duration.seconds(2)
  /// The longest wait of an entry that another process has written.
  private static let longestWait = Duration.seconds(86_400)

  /// The waits between the attempts of one entry: a random part of 2 s, 4 s, 8 s, … 5 min, or the wait that the gateway
  /// asks for.
  ///
  /// - Parameter longestWait: the longest wait that a gateway can ask for.
  static func pacing(longestWait: Duration) -> Pacing {
    Pacing(
      Backoff(base: shortestWait, factor: 2, maximum: .seconds(300)), floor: shortestWait / 2, ceiling: longestWait)
  }

  /// When an entry is due; now for one that does not wait.
  mutating func due(_ entry: OutboxEntry, _ clock: any CallClock) -> ContinuousClock.Instant {
    guard let time = entry.nextAttemptAt else {
      known[entry.id] = nil
      return clock.now
    }
    if let known = known[entry.id], known.time == time { return known.instant }
    // Another process has written it, or an earlier run of this one. Even if the clock was set since, the rest of the
    // wait is no longer than the whole wait was.
    let wait = max(0, time - (entry.lastAttemptAt ?? entry.createdAt))
    let rest = min(max(0, time - clock.unixTime), wait, Self.longestWait / .seconds(1))
    let instant = clock.now.advanced(by: .seconds(rest))
    known[entry.id] = Due(time: time, instant: instant)
    return instant
  }

  /// An entry waits from now on.
  mutating func set(_ due: Due, for entry: OutboxEntry) { known[entry.id] = due }

  /// Entries need not wait any longer.
  mutating func dueNow(_ entries: [OutboxEntry], _ clock: any CallClock) {
    for entry in entries {
      if let time = entry.nextAttemptAt { known[entry.id] = Due(time: time, instant: clock.now) }
    }
  }
}

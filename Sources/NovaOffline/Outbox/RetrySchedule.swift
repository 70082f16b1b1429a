import NovaCore

/// When entries are due. The disk has times of day, which anybody can set; what this process has seen is measured by
/// the clock that only moves forward.
struct RetrySchedule: Sendable {
  private var known: [Int64: (time: Double, instant: ContinuousClock.Instant)] = [:]

  static let shortestWait = Duration.seconds(2)
  /// How long an entry can wait that another process has written.
  private static let longestWait = Duration.seconds(86_400)

  /// How long attempts of one entry are apart: a random part of 2 s, 4 s, 8 s, … 5 min, or what the gateway asks for.
  ///
  /// - Parameter longestWait: the longest wait that a gateway can ask for.
  static func pacing(longestWait: Duration) -> Pacing {
    Pacing(
      Backoff(base: shortestWait, factor: 2, maximum: .seconds(300)), floor: shortestWait / 2, ceiling: longestWait)
  }

  /// When an entry is due; in the past for one that does not wait.
  mutating func due(_ entry: OutboxEntry, _ clock: any CallClock) -> ContinuousClock.Instant {
    guard let time = entry.nextAttemptAt else {
      known[entry.id] = nil
      return clock.now
    }
    if let known = known[entry.id], known.time == time { return known.instant }
    // Written by another process, or before this one began. Even if the clock was set meanwhile, the wait is no longer
    // than it was.
    let wait = max(0, time - (entry.lastAttemptAt ?? entry.createdAt))
    let rest = min(max(0, time - clock.unixTime), wait, Self.longestWait / .seconds(1))
    let instant = clock.now.advanced(by: .seconds(rest))
    known[entry.id] = (time, instant)
    return instant
  }

  /// An entry waits from now on.
  ///
  /// - Returns: the time of day when it is due, for the disk.
  mutating func wait(_ entry: OutboxEntry, for wait: Duration, _ clock: any CallClock) -> Double {
    let time = clock.unixTime + wait / .seconds(1)
    known[entry.id] = (time, clock.now.advanced(by: wait))
    return time
  }

  /// What the entries wait for is there.
  mutating func dueNow(_ entries: [OutboxEntry], _ clock: any CallClock) {
    for entry in entries {
      if let time = entry.nextAttemptAt { known[entry.id] = (time, clock.now) }
    }
  }
}

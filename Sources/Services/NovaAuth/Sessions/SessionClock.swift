/// The difference between the gateway's clock and the local one, from the responses of this process and earlier ones.
///
/// The difference becomes wrong when the local clock is set. That cannot always be detected, because a monotonic clock
/// does not distinguish it from a pause of the virtual machine. The next refresh corrects it at the latest: a token
/// that seems to have expired is refreshed, and an expired token that seems valid is refused and then refreshed.
package struct SessionClock: Sendable {
  /// Smaller changes, in seconds, are not worth writing a file.
  private static let smallestSavedChange = 10.0

  private var known: ServerClock?
  /// A different clock, which only the latest response reported.
  private var contradiction: ServerClock?
  /// The difference that this process last tried to save.
  private var saved: ServerClock?

  /// Creates a clock with an unknown difference.
  package init() {}

  /// The difference that is known at a local time; nil if unknown.
  func current(at localTime: Double) -> ServerClock? { known.flatMap { $0.isUsable(at: localTime) ? $0 : nil } }

  /// How many seconds the server's clock is ahead; 0 if unknown.
  func secondsAhead(at localTime: Double) -> Int64 { current(at: localTime)?.secondsAhead ?? 0 }

  /// The time of the server's clock, or of the local clock if the difference is unknown.
  package func time(at localTime: Double) -> Double { localTime + Double(secondsAhead(at: localTime)) }

  /// Records the time that a response reports.
  ///
  /// A single response that contradicts the known difference may come from a cache, or from one of several servers with
  /// a wrong clock. It takes two in a row to replace the difference, or one that `isDecisive`: the response to a
  /// sign-in or a refresh, from which the next expiry is computed.
  package mutating func note(_ reading: ClockReading, isDecisive: Bool) {
    let clock = reading.clock
    let isExpected = current(at: reading.localTime)?.agrees(with: clock) ?? true
    if isDecisive || isExpected || contradiction?.agrees(with: clock) == true {
      (known, contradiction) = (clock, nil)
    } else {
      contradiction = clock
    }
  }

  /// Adopts the difference that another process measured, if it is newer.
  mutating func adopt(_ stored: ServerClock?, at localTime: Double) {
    guard let stored, stored.isUsable(at: localTime) else { return }
    if let current = current(at: localTime), current.readAt >= stored.readAt { return }
    (known, contradiction) = (stored, nil)
  }

  /// Whether the known difference is different enough from the stored one to be saved.
  func differs(from stored: ServerClock?, at localTime: Double) -> Bool {
    Self.isChange(secondsAhead(at: localTime), since: stored)
  }

  /// Whether to save the known difference in place of the stored one: true once for each change.
  mutating func takeSave(over stored: ServerClock?, at localTime: Double) -> Bool {
    guard differs(from: stored, at: localTime), let current = current(at: localTime),
      saved.map({ Self.isChange(current.secondsAhead, since: $0) }) ?? true
    else { return false }
    saved = current
    return true
  }

  private static func isChange(_ secondsAhead: Int64, since clock: ServerClock?) -> Bool {
    abs(Double(secondsAhead) - Double(clock?.secondsAhead ?? 0)) > smallestSavedChange
  }
}

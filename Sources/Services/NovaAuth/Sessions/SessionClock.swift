/// What the responses of this process and of earlier ones report about the gateway's clock.
///
/// The difference to the local clock becomes wrong when that clock is set, which cannot always be noticed: a monotonic
/// clock does not tell that from a pause of the virtual machine. It is corrected at the latest by the next refresh. A
/// token that seems to have expired is refreshed; one that seems valid and is not is refused, and then refreshed.
package struct SessionClock: Sendable {
  /// Smaller changes, in seconds, are not worth writing a file.
  private static let smallestSavedChange = 10.0

  private var known: ServerClock?
  /// A different clock, which only the latest response reported.
  private var contradiction: ServerClock?
  /// What this process has already tried to save.
  private var saved: ServerClock?

  /// A clock of which nothing is known.
  package init() {}

  /// What is known at a local time.
  func current(at localTime: Double) -> ServerClock? { known.flatMap { $0.isUsable(at: localTime) ? $0 : nil } }

  /// How many seconds the server's clock is ahead, 0 if nothing is known.
  func secondsAhead(at localTime: Double) -> Int64 { current(at: localTime)?.secondsAhead ?? 0 }

  /// The time of the server's clock, as far as it is known.
  package func time(at localTime: Double) -> Double { localTime + Double(secondsAhead(at: localTime)) }

  /// Records what a response reports.
  ///
  /// One response that contradicts what is known may come from a cache or from a server among several whose clock is
  /// wrong. Two in a row are believed, and so is each that `isDecisive`: the response to a sign-in or a refresh, by which
  /// the next expiry is computed.
  package mutating func note(_ reading: ClockReading, isDecisive: Bool) {
    let clock = reading.clock
    let isExpected = current(at: reading.localTime)?.agrees(with: clock) ?? true
    if isDecisive || isExpected || contradiction?.agrees(with: clock) == true {
      (known, contradiction) = (clock, nil)
    } else {
      contradiction = clock
    }
  }

  /// Adopts what another process found out, if that is newer.
  mutating func adopt(_ stored: ServerClock?, at localTime: Double) {
    guard let stored, stored.isUsable(at: localTime) else { return }
    if let current = current(at: localTime), current.readAt >= stored.readAt { return }
    (known, contradiction) = (stored, nil)
  }

  /// Whether what is known differs enough from what is stored to be saved.
  func differs(from stored: ServerClock?, at localTime: Double) -> Bool {
    Self.isChange(secondsAhead(at: localTime), since: stored)
  }

  /// Whether to save what is known in place of what is stored: true once for each change.
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

/// How far a server's clock is ahead of this machine's, and when that was measured.
///
/// It is stored with a session, so that the next process uses the server's clock for expiry from its start.
public struct ServerClock: Sendable, Hashable {
  /// How many seconds the server's clock is ahead; negative if it is behind.
  public var secondsAhead: Int64
  /// When a response reported that, in Unix seconds of this machine's clock.
  public var readAt: Int64

  /// Creates a description of a server's clock.
  public init(secondsAhead: Int64, readAt: Int64) {
    self.secondsAhead = secondsAhead
    self.readAt = readAt
  }

  /// An upper bound: the largest difference between two clocks of this century, one of which was never set.
  private static let maximum: Int64 = 4_102_444_800

  /// Whether it can be right at a local time. If it was read later than now, the local clock was set back since then,
  /// so the difference was the error of the local clock.
  func isUsable(at localTime: Double) -> Bool {
    (-Self.maximum...Self.maximum).contains(secondsAhead) && Double(readAt) <= localTime + ClockReading.tolerance
  }

  /// Whether two differences are equal, apart from the delays of responses.
  func agrees(with other: ServerClock) -> Bool {
    abs(Double(secondsAhead) - Double(other.secondsAhead)) <= ClockReading.tolerance
  }
}

/// The time of a server's clock, and the local time at which it arrived.
package struct ClockReading: Sendable {
  /// The maximum time between the date of a response and its arrival, in seconds.
  static let tolerance = 30.0
  /// 2020-01-01 to 2100-01-01. A clock with another time was never set.
  private static let plausible: Range<Int64> = 1_577_836_800..<4_102_444_800

  /// In Unix seconds.
  let serverTime: Int64
  let localTime: Double

  /// Creates a reading; nil without a time, and for a time that no set clock can have.
  package init?(_ serverTime: Int64?, at localTime: Double) {
    guard let serverTime, Self.plausible.contains(serverTime) else { return nil }
    (self.serverTime, self.localTime) = (serverTime, localTime)
  }

  var clock: ServerClock {
    // The header has whole seconds. Rounding makes the difference of an accurate clock zero.
    let readAt = Int64(localTime.rounded(.down))
    return ServerClock(secondsAhead: serverTime - readAt, readAt: readAt)
  }
}

/// How far a server's clock is ahead of this machine's, and when that was found out.
///
/// It is stored with a session, so that the next process judges expiry by the server's clock from its start.
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

  /// More than the difference between two clocks of this century, one of which was never set.
  private static let maximum: Int64 = 4_102_444_800

  /// Whether it can be true at a local time. A clock that was read later than now was read before the local clock was
  /// set back, so the difference was that clock's error.
  func isUsable(at localTime: Double) -> Bool {
    (-Self.maximum...Self.maximum).contains(secondsAhead) && Double(readAt) <= localTime + ClockReading.tolerance
  }

  /// Whether two differences are the same but for the delays of responses.
  func agrees(with other: ServerClock) -> Bool {
    abs(Double(secondsAhead) - Double(other.secondsAhead)) <= ClockReading.tolerance
  }
}

/// The time of a server's clock, and the local time at which it arrived.
package struct ClockReading: Sendable {
  /// How much later a response can arrive than it was dated, in seconds.
  static let tolerance = 30.0
  /// 2020-01-01 to 2100-01-01. A clock outside was never set.
  private static let plausible: Range<Int64> = 1_577_836_800..<4_102_444_800

  /// In Unix seconds.
  let serverTime: Int64
  let localTime: Double

  /// Creates a reading; nil without a time, or if no clock in use can have it.
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

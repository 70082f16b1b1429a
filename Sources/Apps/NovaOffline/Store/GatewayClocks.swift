import NovaAuth
import NovaCore

/// The clocks of gateways, as far as the times in their responses have shown.
final class GatewayClocks: Sendable {
  private let clock: any CallClock
  private let clocks = Locked<[String: SessionClock]>([:])

  init(_ clock: any CallClock) { self.clock = clock }

  /// A response of a gateway had this time, in Unix seconds; nil for none.
  func note(_ serverTime: Int64?, of gateway: String) {
    guard let reading = ClockReading(serverTime, at: clock.unixTime) else { return }
    clocks.withLock { $0[gateway, default: SessionClock()].note(reading, isDecisive: false) }
  }

  /// The time of a gateway's clock, in Unix seconds.
  func time(of gateway: String) -> Double {
    let time = clock.unixTime
    return clocks.withLock { $0[gateway]?.time(at: time) } ?? time
  }
}

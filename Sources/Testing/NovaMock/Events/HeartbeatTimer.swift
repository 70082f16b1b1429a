import NovaCore

/// The timer of all subscribers with one clock. At each tick it wakes those that need a heartbeat, or whose token has
/// expired.
struct HeartbeatTimer: Sendable {
  let clock: any CallClock
  var task: Task<Void, Never>
  var users: Int

  /// Clocks of a type without identity are the same clock.
  static func id(of clock: any CallClock) -> ObjectIdentifier {
    type(of: clock) is AnyClass ? ObjectIdentifier(clock as AnyObject) : ObjectIdentifier(type(of: clock))
  }

  /// The time between ticks. Tokens expire by the second, however rare heartbeats are.
  static func interval(_ settings: MockEventSettings) -> Duration {
    settings.heartbeat.map { interval(for: $0) } ?? .seconds(1)
  }

  /// The time without an event after which a tick sends a heartbeat. It leaves one spare tick, so that a late tick
  /// does no harm.
  static func threshold(_ heartbeat: Duration) -> Duration { heartbeat - interval(for: heartbeat) * 2 }

  private static func interval(for heartbeat: Duration) -> Duration { min(heartbeat / 16, .seconds(1)) }
}

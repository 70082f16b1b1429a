import NovaCore
import NovaTesting

/// The clock of a machine whose time of day can be set, while the time that passes is that of another clock.
final class ShiftedClock: CallClock {
  let base: ManualClock
  private let shift: Locked<Double>

  init(_ base: ManualClock, ahead: Double = 0) { (self.base, shift) = (base, Locked(ahead)) }

  /// How many seconds the time of day is ahead.
  var ahead: Double {
    get { shift.withLock { $0 } }
    set { shift.withLock { $0 = newValue } }
  }

  var now: ContinuousClock.Instant { base.now }
  var minimumResolution: Duration { base.minimumResolution }
  var unixTime: Double { base.unixTime + ahead }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try await base.sleep(until: deadline, tolerance: tolerance)
  }
}

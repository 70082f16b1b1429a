import NovaCore

/// The time of rate limits and scenarios. It passes as on the clock of the calls, pauses while the backend's clock is
/// frozen, and skips ahead when that is moved forward. Moving the clock back does not change it.
struct FaultTime: Sendable {
  private var skipped = Duration.zero
  private var isFrozen: Bool
  /// The moment at which it pauses: set by the first read, and kept until the first read after it continues.
  private var frozen: Moment?

  init(isFrozen: Bool) { self.isFrozen = isFrozen }

  /// The moment that it shows.
  ///
  /// - Parameter real: the moment on the clock of the calls.
  mutating func moment(at real: Moment) -> Moment {
    if isFrozen {
      let moment = frozen ?? real.advanced(by: skipped)
      frozen = moment
      return moment
    }
    if let frozen {
      skipped = real.duration(to: frozen)
      self.frozen = nil
    }
    return real.advanced(by: skipped)
  }

  /// Follows the backend's clock.
  ///
  /// - Parameter seconds: by how much the clock was moved.
  mutating func follow(_ clock: MockClock, movedBy seconds: Int64) {
    isFrozen = clock.isFrozen
    guard seconds > 0 else { return }
    let duration = Duration.seconds(seconds)
    if let place = frozen { frozen = place.advanced(by: duration) } else { skipped += duration }
  }
}

import NovaCore

/// A clock whose time of day is wrong.
struct WrongClock: CallClock {
  let seconds: Double
  private let clock = ContinuousClock()

  init(seconds: Double) { self.seconds = seconds }

  var unixTime: Double { clock.unixTime + seconds }
  var now: ContinuousClock.Instant { clock.now }
  var minimumResolution: Duration { clock.minimumResolution }
  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}

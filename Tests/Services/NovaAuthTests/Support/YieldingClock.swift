import NovaCore

/// A clock on which no time passes: who sleeps lets the others go first, and is back.
struct YieldingClock: CallClock {
  let now = ContinuousClock.now
  var minimumResolution: Duration { .nanoseconds(1) }
  var unixTime: Double { 1_764_583_200 }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    await Task.yield()
  }
}

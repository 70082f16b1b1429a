import NovaCore

/// A user's session, which ends after a time without events.
struct TrackingSession: Sendable {
  private(set) var id = RequestID.random()
  private var lastUse: ContinuousClock.Instant?

  /// The session's ID for an event that happens now.
  mutating func use(at now: ContinuousClock.Instant, inactivity: Duration) -> String {
    if let lastUse, lastUse.duration(to: now) >= inactivity { id = RequestID.random() }
    // If the clock goes back, the session continues, but is not extended by the difference.
    lastUse = now
    return id
  }
}

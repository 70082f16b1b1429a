import NovaCore

/// A session of a user: it ends after a time without events.
struct TrackingSession: Sendable {
  private(set) var id: String
  private var lastUse: ContinuousClock.Instant?

  init(id: String) { self.id = id }

  /// The ID for an event at a time.
  mutating func use(at now: ContinuousClock.Instant, inactivity: Duration, makeID: () -> String) -> String {
    if let lastUse, lastUse.duration(to: now) >= inactivity { id = makeID() }
    // A clock that goes back ends no session, and must not keep one open for as long as it went back.
    lastUse = now
    return id
  }
}

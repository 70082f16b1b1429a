import NovaCore

/// When to connect again.
struct Reconnection: Sendable {
  private static let backoff = Backoff(base: .seconds(1), maximum: .seconds(30))
  /// How often a gateway may ask for a new connection at once.
  private static let immediateInterval = Duration.seconds(10)

  /// What the gateway asks for, with `retry:`.
  var requested: Duration?
  /// How many connections in a row have brought nothing, the last one included.
  private var failures = 0
  private var isWorking = false
  private var retryAfter: Duration?
  private var lastImmediate: ContinuousClock.Instant?
  private var isImmediate = false

  /// The connection has brought something.
  mutating func works() { isWorking = true }

  /// The gateway has ended the connection so that the client comes back at once.
  mutating func shouldBeImmediate(at now: ContinuousClock.Instant) {
    if let lastImmediate, lastImmediate.duration(to: now) < Self.immediateInterval { return }
    (lastImmediate, isImmediate) = (now, true)
  }

  /// The connection has ended, or could not be made.
  mutating func ended(_ error: APIError?) {
    failures = isWorking ? 1 : failures + 1
    isWorking = false
    retryAfter = error?.serverWait
  }

  /// How long to wait now: as the gateway asks, otherwise a random part of a time that grows, so that clients do not come
  /// back in step.
  ///
  /// - Parameter random: 0..<1.
  mutating func wait(random: Double) -> Duration {
    defer { isImmediate = false }
    if isImmediate { return .zero }
    if let retryAfter { return min(retryAfter, .seconds(86_400)) }
    guard let requested else { return Self.backoff.wait(after: failures, random: random) }
    let jitter = failures > 1 ? Self.backoff.wait(after: failures - 1, random: random) : .zero
    return min(max(requested, .zero), .seconds(300)) + jitter
  }
}

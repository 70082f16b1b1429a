public import NovaCore

/// Decides how long to wait before connecting again.
struct Reconnection: Sendable {
  /// The minimum time between two reconnections without a wait.
  private static let immediateInterval = Duration.seconds(10)
  /// How long a connection must be open to count as working, if it has delivered no event.
  private static let provenAfter = Duration.seconds(10)

  /// The wait that the gateway has requested with `retry:`.
  var requested: Duration?
  private var attempts: Repetition
  private var isWorking = false
  private var connected: ContinuousClock.Instant?
  private var lastImmediate: ContinuousClock.Instant?
  private var isImmediate = false

  /// - Parameter longestWait: the maximum wait that a gateway can request.
  init(longestWait: Duration) { attempts = Repetition(.reconnecting(longestWait: longestWait)) }

  /// Notes that a connection is open. That does not prove that it works: a gateway may close every connection at once.
  mutating func connected(at now: ContinuousClock.Instant) { (connected, isWorking) = (now, false) }

  /// Notes that the connection has delivered a new event.
  mutating func works() { isWorking = true }

  /// Notes that the next connection should be opened without a wait. Ignored if that was the case a moment ago.
  mutating func shouldBeImmediate(at now: ContinuousClock.Instant) {
    if let lastImmediate, lastImmediate.duration(to: now) < Self.immediateInterval { return }
    (lastImmediate, isImmediate) = (now, true)
  }

  /// Notes that the connection has ended, or could not be opened.
  ///
  /// - Parameter random: 0..<1.
  /// - Returns: how long to wait before connecting again.
  mutating func ended(_ error: APIError?, at now: ContinuousClock.Instant, random: Double) -> Duration {
    if isWorking || connected.map({ $0.duration(to: now) >= Self.provenAfter }) ?? false { attempts.works() }
    (isWorking, connected) = (false, nil)
    defer { isImmediate = false }
    let wait = attempts.failed(requested: error?.serverWait ?? requested, at: now, random: random)
    return isImmediate ? .zero : wait
  }
}

extension Pacing {
  /// The waits before reconnections, and between the requests that subscriptions repeat.
  static func reconnecting(longestWait: Duration) -> Pacing {
    Pacing(Backoff(base: .seconds(1), maximum: .seconds(30)), floor: .milliseconds(500), ceiling: longestWait)
  }
}

/// Why and how long the client waits before it connects again.
public struct ReconnectionPause: Sendable, Hashable {
  /// The kind of failure; nil if the gateway has ended the connection.
  public let code: APIError.Code?
  /// The reason, as a sentence without a period.
  public let reason: String
  /// The duration of the wait.
  public let duration: Duration
  /// When the wait is over, on the client's clock.
  public let end: ContinuousClock.Instant
  /// The wait that the gateway has requested; nil if it has not. The setting `retry.max_wait_seconds` limits its
  /// effect.
  public let requested: Duration?

  init(after error: APIError?, _ duration: Duration, at now: ContinuousClock.Instant) {
    code = error?.code
    reason = error?.message ?? "the gateway has ended the connection"
    (self.duration, end) = (duration, now.advanced(by: duration))
    requested = error?.serverWait
  }
}

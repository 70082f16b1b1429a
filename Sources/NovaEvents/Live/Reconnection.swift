public import NovaCore

/// When to connect again.
struct Reconnection: Sendable {
  /// How often a gateway may ask for a new connection at once.
  private static let immediateInterval = Duration.seconds(10)
  /// After how long a connection that has brought nothing new counts as one that works.
  private static let provenAfter = Duration.seconds(10)

  /// What the gateway asks for, with `retry:`.
  var requested: Duration?
  private var attempts: Repetition
  private var isWorking = false
  private var connected: ContinuousClock.Instant?
  private var lastImmediate: ContinuousClock.Instant?
  private var isImmediate = false

  /// - Parameter longestWait: the longest wait that a gateway can request.
  init(longestWait: Duration) { attempts = Repetition(.reconnecting(longestWait: longestWait)) }

  /// The connection is open. That proves nothing yet: a gateway can close it at once, each time.
  mutating func connected(at now: ContinuousClock.Instant) { (connected, isWorking) = (now, false) }

  /// It has brought something new.
  mutating func works() { isWorking = true }

  /// The gateway has ended the connection so that the client comes back at once.
  mutating func shouldBeImmediate(at now: ContinuousClock.Instant) {
    if let lastImmediate, lastImmediate.duration(to: now) < Self.immediateInterval { return }
    (lastImmediate, isImmediate) = (now, true)
  }

  /// The connection has ended, or could not be made.
  ///
  /// - Parameter random: 0..<1.
  /// - Returns: how long to wait now.
  mutating func ended(_ error: APIError?, at now: ContinuousClock.Instant, random: Double) -> Duration {
    if isWorking || connected.map({ $0.duration(to: now) >= Self.provenAfter }) ?? false { attempts.works() }
    (isWorking, connected) = (false, nil)
    defer { isImmediate = false }
    let wait = attempts.failed(requested: error?.serverWait ?? requested, at: now, random: random)
    return isImmediate ? .zero : wait
  }
}

extension Pacing {
  /// Of connections, and of the requests that subscriptions repeat.
  static func reconnecting(longestWait: Duration) -> Pacing {
    Pacing(Backoff(base: .seconds(1), maximum: .seconds(30)), floor: .milliseconds(500), ceiling: longestWait)
  }
}

/// Why, and for how long, the client waits before it connects again.
public struct ReconnectionPause: Sendable, Hashable {
  /// What kind of failure it was; nil if the gateway has ended the connection.
  public let code: APIError.Code?
  /// Why, as a sentence without a full stop.
  public let reason: String
  /// How long the wait is.
  public let duration: Duration
  /// When it is over, on the client's clock.
  public let end: ContinuousClock.Instant
  /// How long the gateway has asked to wait; nil if it has not. The setting `retry.max_wait_seconds` limits what counts.
  public let requested: Duration?

  init(after error: APIError?, _ duration: Duration, at now: ContinuousClock.Instant) {
    code = error?.code
    reason = error?.message ?? "the gateway has ended the connection"
    (self.duration, end) = (duration, now.advanced(by: duration))
    requested = error?.serverWait
  }
}

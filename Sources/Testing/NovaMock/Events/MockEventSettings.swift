/// How a ``MockBackend`` stores and streams events.
public struct MockEventSettings: Sendable, Hashable {
  /// The maximum number of stored events. A stream can resume after each of them. Default: 10,000.
  public var history: Int
  /// The interval between heartbeats on a stream without events; nil for none. Default: 15 s.
  public var heartbeat: Duration?
  /// How long clients are asked to wait before they connect again. Default: 1 s.
  public var retry: Duration
  /// The maximum number of events that wait for one subscriber; with more, its stream ends with `too_slow`. nil: as many
  /// as are stored. Default: nil.
  public var maximumWaiting: Int?

  /// Creates settings; the numbers are at least 1.
  public init(
    history: Int = 10_000, heartbeat: Duration? = .seconds(15), retry: Duration = .seconds(1),
    maximumWaiting: Int? = nil
  ) {
    self.history = max(1, history)
    self.heartbeat = heartbeat.map { max(.milliseconds(1), $0) }
    self.retry = max(.zero, retry)
    self.maximumWaiting = maximumWaiting.map { max(1, $0) }
  }
}

/// Why a server ends a stream of events on purpose.
public struct MockEventEnd: RawRepresentable, Hashable, Sendable {
  /// The reason as it is sent.
  public let rawValue: String

  /// Creates a reason from the text that is sent.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The access token has expired or was revoked.
  public static let tokenExpired = MockEventEnd(rawValue: "token_expired")
  /// The server stops, or has lost its events.
  public static let restart = MockEventEnd(rawValue: "restart")
  /// The client reads too slowly: events that wait for it are gone.
  public static let tooSlow = MockEventEnd(rawValue: "too_slow")
}

import NovaCore

/// When something was last heard of a connection, and how to explain a silence.
///
/// A proxy that buffers a stream, and a lost connection, look the same: nothing arrives. The first silent stream is
/// therefore reported with a hint about proxies. If later streams are just as silent, the connection is replaced
/// without a report, and the missed events are listed.
struct ConnectionSilence: Sendable {
  /// How long a connection may be silent.
  static let longest = StreamControl.longestSilence

  /// When something was last heard.
  private(set) var lastSign: ContinuousClock.Instant
  /// Whether the open connection has brought anything, even a heartbeat.
  private var isHeard = true
  /// Whether the gateway has been asked for a stream and has not responded yet.
  private var isOpening = false
  /// Whether a stream that was silent from its beginning has been reported, and nothing was heard since.
  private var isReported = false

  init(at now: ContinuousClock.Instant) { lastSign = now }

  /// Notes that no connection is open.
  mutating func beginAttempt() { (isHeard, isOpening) = (true, false) }

  mutating func beginOpening() { isOpening = true }

  mutating func opened(at now: ContinuousClock.Instant) { (lastSign, isHeard, isOpening) = (now, false, false) }

  mutating func heard(at now: ContinuousClock.Instant) { (lastSign, isHeard, isReported) = (now, true, false) }

  /// Whether a silence of the connection means nothing new.
  func isExpected(of connection: any EventConnection) -> Bool {
    !connection.sendsHeartbeats || isReported && !isHeard
  }

  /// Whether the silence began with the stream, so that a proxy may be buffering it.
  var isFromBeginning: Bool { isOpening || !isHeard }

  /// Explains a silence.
  ///
  /// - Parameter error: how the silence was noticed; nil if it was noticed here.
  mutating func report(_ error: APIError?) -> APIError {
    let time = Self.longest.formatted
    guard isFromBeginning else { return APIError(.timeout, "no sign of life for \(time)") }
    isReported = !isOpening
    let silence =
      isOpening
      ? "the gateway answers calls, but nothing arrived of a stream"
      : "nothing arrived for \(time) on a stream that the gateway accepted, not even a heartbeat"
    return APIError(
      .timeout,
      silence, reason: "something between, such as a proxy, may be buffering it",
      advice: "turn that off there (nginx: proxy_buffering off), or let the gateway send X-Accel-Buffering: no",
      rpc: error?.rpc)
  }
}

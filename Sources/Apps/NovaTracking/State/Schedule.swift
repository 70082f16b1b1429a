import NovaCore

/// When to send waiting events: at once if there are enough for a batch, otherwise after the flush interval, and after
/// a failure when the wait is over.
struct Schedule: Sendable {
  private(set) var waiting = WaitingSize()
  private var since: ContinuousClock.Instant?
  /// When to try again after a failure; nothing is sent before that.
  private(set) var retryAt: ContinuousClock.Instant?
  private var failures = 0

  mutating func setWaiting(_ size: WaitingSize, at now: ContinuousClock.Instant) {
    waiting = size
    since = size.count == 0 ? nil : since ?? now
  }

  mutating func add(_ size: WaitingSize, at now: ContinuousClock.Instant) {
    setWaiting(WaitingSize(count: waiting.count + size.count, bytes: waiting.bytes + size.bytes), at: now)
  }

  /// Ends the wait after a failure: another user has signed in, whose events the gateway may accept.
  mutating func forgetFailure() { retryAt = nil }

  /// Notes how a round went, and how much it left.
  ///
  /// - Parameter requested: how long the gateway asks to wait, limited by the configuration.
  mutating func endRound(
    left: WaitingSize, at now: ContinuousClock.Instant, isFailed: Bool, isBusy: Bool, requested: Duration?,
    options: TrackingOptions, random: Double
  ) {
    since = nil
    setWaiting(left, at: now)
    failures = isFailed ? failures + 1 : 0
    let pacing = Pacing(options.backoff, floor: .seconds(1))
    let wait =
      isBusy
      ? max(options.flushInterval, .milliseconds(100))
      : pacing.wait(after: failures, requested: requested, random: random)
    retryAt = isFailed || isBusy ? now.advanced(by: wait) : nil
  }

  /// Whether no wait after a failure is in progress.
  func isReady(at now: ContinuousClock.Instant) -> Bool { retryAt.map { $0 <= now } ?? true }

  /// When the waiting events must be sent; nil if no event waits.
  func timeToSend(_ options: TrackingOptions) -> ContinuousClock.Instant? {
    guard let since else { return nil }
    if let retryAt { return retryAt }
    let isFull = waiting.count >= options.batchCount || waiting.bytes >= options.batchBytes
    return isFull ? since : since.advanced(by: options.flushInterval)
  }
}

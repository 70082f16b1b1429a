import NovaCore

/// What one run over an identity's entries has done.
struct OutboxBurst: Sendable {
  /// Why a burst ended.
  enum End: Sendable, Equatable {
    /// Nothing is left to send.
    case empty
    /// The rest waits until then.
    case due(ContinuousClock.Instant)
    case paused(OutboxState.Pause)
    /// The files cannot be used, or the caller's identity cannot be found out.
    case failed
  }

  /// Whether waits and pauses are ignored, and each entry is tried once.
  let isForced: Bool
  /// Whose entries are sent; nil if that could not be found out.
  var identity: Identity?
  var end = End.empty
  private(set) var sent = 0
  private(set) var refused = 0
  /// The last failure, whatever succeeded after it.
  var failure: OutboxFailure?
  var tried: Set<Int64> = []

  var pause: OutboxState.Pause? { if case .paused(let pause) = end { pause } else { nil } }

  /// Counts what became of an entry.
  mutating func note(_ result: Delivery.Result) {
    switch result {
    case .delivered: sent += 1
    case .dead(let failure):
      refused += 1
      self.failure = failure
    case .signedOut(let failure), .later(let failure, _, _): self.failure = failure
    case .gone, .cancelled: break
    }
  }
}

import NovaCore

/// How sending goes for one identity. Kept while the identity has entries.
struct OutboxStatus: Sendable {
  var isSending = false
  /// Why nothing was sent last.
  var pause: OutboxState.Pause?
  var lastFailure: OutboxFailure?
  /// Whether the gateway did not accept the token.
  var isRefused = false
  /// When the gateway wants to hear from the identity again.
  var restingUntil: ContinuousClock.Instant?
  /// When waits may be ended again because the gateway answers.
  var nextEndOfWaits: ContinuousClock.Instant?
}

// What others see of the entries.
extension OutboxEngine {
  /// Reads what other processes have written.
  ///
  /// - Throws: `APIError` if the file cannot be used.
  func refresh() async throws {
    try await store.use { try $0.refresh() }
    if store.image.withLock({ $0.version }) != shownVersion { changed(nil) }
  }

  /// The entries of an identity have changed; nil for those of any.
  func changed(_ identity: Identity?) {
    shownVersion = store.image.withLock { $0.version }
    let counts = queue.counts
    statuses.withLock { statuses in
      if let identity, counts[identity] != nil { return }
      statuses = statuses.filter { counts[$0.key] != nil || $0.value.isSending }
    }
    ticks.update { $0 += 1 }
    host?.changed(identity)
  }

  /// Changes the status of an identity, and lets observers see it.
  nonisolated func publish(_ identity: Identity, _ change: (inout OutboxStatus) -> Void = { _ in }) {
    let hasEntries = queue.counts[identity] != nil
    statuses.withLock { statuses in
      var status = statuses[identity] ?? OutboxStatus()
      change(&status)
      statuses[identity] = hasEntries || status.isSending ? status : nil
    }
    ticks.update { $0 += 1 }
  }

  nonisolated func status(of identity: Identity) -> OutboxStatus {
    statuses.withLock { $0[identity] } ?? OutboxStatus()
  }

  /// The state of an identity; of nobody in particular if it is nil.
  nonisolated func state(of identity: Identity?) -> OutboxState {
    let image = store.image.withLock { $0 }
    let status = identity.map { self.status(of: $0) } ?? OutboxStatus()
    let counts = identity.flatMap { image.queue.counts[$0] } ?? OutboxQueue.Counts()
    let isSignedOut = identity?.isAnonymous == true && image.queue.counts.values.contains { $0.waiting > 0 }
    var state = OutboxState(
      waiting: counts.waiting, blocked: counts.blocked, dead: counts.dead,
      others: image.queue.entries.count - counts.waiting - counts.blocked - counts.dead, isSending: status.isSending,
      pause: counts.waiting > 0 ? status.pause : isSignedOut ? .signedOut : nil,
      lastFailure: counts == OutboxQueue.Counts() ? nil : status.lastFailure, problem: image.problem)
    if state.pause == .rateLimited { state.retryAt = status.restingUntil }
    return state
  }
}

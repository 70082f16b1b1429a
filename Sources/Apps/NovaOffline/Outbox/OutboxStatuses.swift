import NovaCore

/// How sending goes for one identity. Kept while the identity has entries.
struct OutboxStatus: Sendable {
  var isSending = false
  /// Why nothing was sent last.
  var pause: OutboxState.Pause?
  var lastFailure: OutboxFailure?
  /// Whether the gateway refused the token.
  var isRefused = false
  /// Until when the gateway asked to wait.
  var restingUntil: ContinuousClock.Instant?
  /// When an answer of the gateway may end waits again.
  var nextEndOfWaits: ContinuousClock.Instant?
}

/// How sending goes for each identity, and the observers of it.
final class OutboxStatuses: Sendable {
  /// Wakes the task that watches other processes when an observer is added.
  let observed = WakeSignal()
  private let store: OutboxStore
  private let statuses = Locked<[Identity: OutboxStatus]>([:])
  /// Counts the changes that observers see.
  private let changes = LatestValue(0)

  init(_ store: OutboxStore) { self.store = store }

  subscript(_ identity: Identity) -> OutboxStatus { statuses.withLock { $0[identity] } ?? OutboxStatus() }

  var isEmpty: Bool { statuses.withLock { $0.isEmpty } }

  // MARK: Changes

  /// Changes the status of an identity, and reports it to the observers.
  func publish(_ identity: Identity, _ change: (inout OutboxStatus) -> Void = { _ in }) {
    update(identity, change)
    announce()
  }

  /// Changes what observers do not see of an identity's status.
  func update(_ identity: Identity, _ change: (inout OutboxStatus) -> Void) {
    let hasEntries = store.queue.counts[identity] != nil
    statuses.withLock { statuses in
      var status = statuses[identity] ?? OutboxStatus()
      change(&status)
      statuses[identity] = hasEntries || status.isSending ? status : nil
    }
  }

  /// Reports that entries of an identity have changed; nil for those of any identity.
  func publishEntries(of identity: Identity?) {
    let counts = store.queue.counts
    statuses.withLock { statuses in
      if let identity, counts[identity] != nil { return }
      statuses = statuses.filter { counts[$0.key] != nil || $0.value.isSending }
    }
    announce()
  }

  /// Lets observers read the state again.
  func announce() { changes.update { $0 += 1 } }

  // MARK: Observers

  var isObserved: Bool { changes.isObserved }

  /// A stream with an element now and one after each change, until ``finish()``.
  func stream() -> AsyncStream<Int> {
    defer { observed.wake() }
    return changes.stream()
  }

  /// Ends all streams.
  func finish() { changes.finish() }

  /// The state of an identity; of no particular one if it is nil.
  func state(of identity: Identity?) -> OutboxState {
    let image = store.image
    let status = identity.map { self[$0] } ?? OutboxStatus()
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

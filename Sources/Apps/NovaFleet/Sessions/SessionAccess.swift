internal import NovaCore

/// The exclusive access that the current task has to one session.
final class SessionAccess: Sendable {
  @TaskLocal static var current: SessionAccess?

  private struct State {
    /// The generation that was read last, on which the next write is based.
    var generation: Int64
    var token: String
    /// By when the lease may have passed to another machine, by this machine's clock.
    var leaseEnd: ContinuousClock.Instant
    var isLost = false
  }

  let owner: String
  let store: ObjectIdentifier
  /// Whether the store could not be reached, so that the task has no lease.
  let isOffline: Bool
  private let state: Locked<State>

  init(
    owner: String, store: ObjectIdentifier, record: SessionRecord, leaseEnd: ContinuousClock.Instant, isOffline: Bool
  ) {
    (self.owner, self.store, self.isOffline) = (owner, store, isOffline)
    state = Locked(State(generation: record.generation, token: record.token, leaseEnd: leaseEnd))
  }

  var generation: Int64 { state.withLock { $0.generation } }
  var leaseEnd: ContinuousClock.Instant { state.withLock { $0.leaseEnd } }
  var isLost: Bool { state.withLock { $0.isLost } }

  func note(_ record: SessionRecord) {
    state.withLock { ($0.generation, $0.token) = (record.generation, record.token) }
  }
  func extend(to end: ContinuousClock.Instant) { state.withLock { $0.leaseEnd = max($0.leaseEnd, end) } }
  func lose() { state.withLock { $0.isLost = true } }
}

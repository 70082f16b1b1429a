internal import NovaCore

/// The subjects that a replica delivers now, each with a lease that no other replica can have until its deadline.
final class HeldSubjects: Sendable {
  private struct Held {
    let lease: OutboxLease
    var deadline: ContinuousClock.Instant
    var task: Task<Void, Never>?
  }

  private let clock: any CallClock
  /// How long after it was asked for a lease is taken for valid: a part of its duration, so that there is a margin.
  private let validity: Duration
  private let held = Locked<[String: Held]>([:])

  init(clock: any CallClock, leaseDuration: Duration) {
    self.clock = clock
    validity = leaseDuration * 0.8
  }

  var count: Int { held.withLock { $0.count } }
  var leases: [OutboxLease] { held.withLock { $0.values.map(\.lease) } }

  /// Delivers in a task.
  ///
  /// - Parameter start: when the lease was asked for.
  func begin(_ lease: OutboxLease, at start: ContinuousClock.Instant, _ deliver: @escaping @Sendable () async -> Void) {
    held.withLock { held in
      held[lease.subject] = Held(lease: lease, deadline: start.advanced(by: validity))
      held[lease.subject]?.task = Task { await deliver() }
    }
  }

  func end(_ lease: OutboxLease) {
    held.withLock { held in if held[lease.subject]?.lease == lease { held[lease.subject] = nil } }
  }

  /// - Throws: ``FleetOutboxError/leaseLost`` if another replica may have the lease.
  func check(_ lease: OutboxLease) throws {
    let deadline = held.withLock { held in held[lease.subject].flatMap { $0.lease == lease ? $0.deadline : nil } }
    guard let deadline, clock.now < deadline else { throw FleetOutboxError.leaseLost }
  }

  /// Notes which leases the store has renewed. Without its lease, a delivery ends at its next step.
  ///
  /// - Parameters:
  ///   - leases: those that were to be renewed.
  ///   - subjects: those whose lease was renewed.
  ///   - start: when that was asked for.
  func renewed(_ leases: [OutboxLease], subjects: Set<String>, at start: ContinuousClock.Instant) {
    let deadline = start.advanced(by: validity)
    held.withLock { held in
      for lease in leases where held[lease.subject]?.lease == lease {
        held[lease.subject]?.deadline = subjects.contains(lease.subject) ? deadline : start
      }
    }
  }

  /// Cancels all deliveries, which finish the calls in progress, and waits until none is left.
  func endAll() async {
    while true {
      let tasks = held.withLock { held in held.values.compactMap(\.task) }
      if tasks.isEmpty { return }
      for task in tasks { task.cancel() }
      for task in tasks { await task.value }
    }
  }
}

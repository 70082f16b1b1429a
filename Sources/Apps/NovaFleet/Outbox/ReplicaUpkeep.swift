import CoreMetrics
import Logging
import NovaOffline
import NovaPostgreSQL
internal import NovaCore

/// What a replica does beside delivering: it renews its leases, removes old entries, and listens for new ones.
struct ReplicaUpkeep: Sendable {
  let outbox: FleetOutbox
  let leases: OutboxLeases
  let held: HeldSubjects
  let options: FleetOutboxOptions
  let metrics: FleetOutboxMetrics
  let logger: Logger
  let environment: OutboxEnvironment
  let signal: WakeSignal

  private var clock: any CallClock { environment.clock }

  /// Renews the leases until the task is cancelled.
  func renewRepeatedly() async {
    while !Task.isCancelled {
      do { try await sleep(options.lease / 3) } catch { return }
      let current = held.leases
      if current.isEmpty { continue }
      let start = clock.now
      guard let renewed = try? await leases.renew(current) else {
        metrics.failures.increment()
        continue
      }
      held.renewed(current, subjects: renewed, at: start)
    }
  }

  /// Removes old entries and records statistics, until the task is cancelled.
  func maintainRepeatedly() async {
    while !Task.isCancelled {
      do {
        _ = try await leases.sweep()
        try await outbox.removeOld(delivered: options.keepsDelivered, refused: options.keepsRefused)
        let statistics = try await outbox.statistics()
        metrics.waiting.record(statistics.waiting)
        metrics.dead.record(statistics.dead)
        metrics.oldest.record(statistics.oldestAge)
        metrics.subjects.record(held.count)
      } catch {
        metrics.failures.increment()
        logger.debug("the outbox could not be maintained: \(error)")
      }
      try? await sleep(jittered(options.maintenanceInterval))
    }
  }

  /// Wakes the replica for each notification, until the task is cancelled.
  func listen(on listener: any PostgreSQLClient) async {
    while !Task.isCancelled {
      do {
        for try await _ in listener.notifications(on: outbox.schema.channel) { signal.wake() }
      } catch {
        logger.debug("notifications were lost: \(error); connecting again")
      }
      try? await sleep(.seconds(1))
    }
  }

  /// A time near `wait`, so that replicas that began together do not stay together.
  func jittered(_ wait: Duration) -> Duration { wait * (0.75 + 0.5 * environment.random()) }

  private func sleep(_ time: Duration) async throws {
    try await clock.sleep(until: clock.now.advanced(by: time), tolerance: nil)
  }
}

import CoreMetrics
import NovaCore
import NovaOffline

/// Delivers the writes of one leased subject in order, until nothing is due, the lease ends, or others have their turn.
struct SubjectBurst: Sendable {
  let lease: OutboxLease
  let identity: Identity
  let store: SubjectStore
  let caller: ReplicaCaller
  let environment: OutboxEnvironment
  let table: OutboxTable
  let options: FleetOutboxOptions
  let metrics: FleetOutboxMetrics
  /// Called when an entry has become a dead letter.
  let noteRefusal: @Sendable (_ entry: (id: Int64, rpc: String), _ failure: OutboxFailure) -> Void
  /// Called when the user's writes wait because there is no valid token.
  let noteSignedOut: @Sendable (OutboxFailure) -> Void
  private enum Step { case next, reload, end(dueIn: Double?, rest: Duration) }

  /// Delivers what is due.
  ///
  /// - Returns: when the subject is to be looked at again.
  /// - Throws: what the database throws; the subject is then looked at when the lease ends.
  func run() async throws -> OutboxRelease {
    let release: OutboxRelease
    do { release = try await deliverDue() } catch {
      // What took effect is removed, whatever has failed after it.
      try? await store.flush()
      throw error
    }
    try await store.flush()
    return release
  }

  private func deliverDue() async throws -> OutboxRelease {
    var (tried, sent): (Set<Int64>, Int) = ([], 0)
    var (isWide, hasProgress) = (false, false)
    var release = OutboxRelease(lease: lease)
    var entries = try await load()
    while !Task.isCancelled {
      guard sent < options.burst else {
        release.dueIn = 0
        return release
      }
      let now = environment.clock.unixTime
      let next = entries.queue.firstReady(identity) { entry in
        !tried.contains(entry.id) && entry.nextAttemptAt ?? 0 <= now
      }
      guard let next else {
        // After a full window, entries may follow that wait for none of those in it.
        if entries.hasMore, hasProgress || !isWide {
          (isWide, hasProgress) = (!hasProgress, false)
          entries = try await load(isWide: isWide)
          continue
        }
        release.dueIn = dueIn(entries, now)
        return release
      }
      tried.insert(next.id)
      sent += 1
      hasProgress = true
      switch try await deliver(next, &entries) {
      case .next: break
      case .reload: entries = try await load()
      case .end(let dueIn, let rest):
        release.dueIn = dueIn ?? self.dueIn(entries, environment.clock.unixTime)
        release.rest = rest / .seconds(1)
        return release
      }
    }
    release.dueIn = 0
    return release
  }

  /// In how many seconds the next entry is due; nil without one.
  private func dueIn(_ entries: SubjectEntries, _ now: Double) -> Double? {
    let times = entries.queue.entries.filter { $0.state == .waiting }.map { max(0, ($0.nextAttemptAt ?? now) - now) }
    // After a full window, entries may follow that are due earlier. They are about others, or wait as well.
    if entries.hasMore { return min(times.min() ?? 0, 5) }
    return times.min()
  }

  /// - Parameter isWide: whether many more entries are read, because none of the first can be sent.
  private func load(isWide: Bool = false) async throws -> SubjectEntries {
    try store.check()
    try await store.flush()
    let window =
      isWide
      ? try await table.windows(of: [lease], limit: options.window * 16).first ?? OutboxTable.Window()
      : try await store.batches.window(of: lease)
    let entries = try await SubjectEntries(window) { names in
      try await table.realIDs(names, of: lease.subject)
    }
    for (entry, failure) in entries.invalid {
      let place = OutboxTable.Place(id: entry.id, key: entry.key, lease: lease)
      let isNoted = try await store.batches.note(OutboxTable.Setback(place: place, kind: .dead, failure: failure))
      if isNoted { noteRefusal((entry.id, entry.rpc), failure) }
    }
    return entries
  }

  private func deliver(_ entry: OutboxEntry, _ entries: inout SubjectEntries) async throws -> Step {
    // An earlier attempt may be looked up first.
    if entry.mayHaveLeft { try await store.flush() }
    var delivery = Delivery(entry: entry, caller: caller, store: store, environment: environment) { nil }
    switch try await delivery.run() {
    case .delivered:
      entries.queue.update([], removing: [entry.id])
      // Later entries may name what it has created.
      return entry.newID == nil ? .next : .reload
    case .dead(let failure):
      noteRefusal((entry.id, entry.rpc.id), failure)
      if entry.newID == nil {
        entries.queue.update([], removing: [entry.id])
        return .next
      }
      return .reload
    case .gone: return .reload
    case .cancelled: return .end(dueIn: 0, rest: .zero)
    case .signedOut(let failure):
      noteSignedOut(failure)
      return .end(dueIn: options.signedOutRest / .seconds(1), rest: .zero)
    case .later(_, let due, let isForAll):
      metrics.retried.increment()
      var changed = delivery.entry
      changed.nextAttemptAt = due.time
      entries.queue.update([changed], removing: [])
      let wait = environment.clock.now.duration(to: due.instant)
      if isForAll { return .end(dueIn: wait / .seconds(1), rest: wait) }
      return caller.connectivity.isOnline ? .next : .end(dueIn: wait / .seconds(1), rest: .zero)
    }
  }
}

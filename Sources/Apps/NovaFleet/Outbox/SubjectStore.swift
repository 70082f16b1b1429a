import NovaCore
import NovaOffline
import NovaPostgreSQL

/// The changes of all subjects of a replica, collected into few statements.
struct OutboxBatches: Sendable {
  private let advances: Coalescer<OutboxTable.Advance, OutboxTable.Advanced>
  private let setbacks: Coalescer<OutboxTable.Setback, Bool>
  private let windows: Coalescer<OutboxLease, OutboxTable.Window>
  private let releases: Coalescer<OutboxRelease, Bool>

  /// - Parameters:
  ///   - window: the number of waiting entries of a subject that are read at once.
  ///   - limit: the maximum number of changes of one statement.
  ///   - gather: waits before each statement until others are likely to have joined it.
  init(
    _ table: OutboxTable, _ leases: OutboxLeases, window: Int, limit: Int, gather: @escaping @Sendable () async -> Void
  ) {
    advances = Coalescer(limit: limit, gather: gather) { batch in
      try await Self.repeating { try await table.advance(batch) }
    }
    setbacks = Coalescer(limit: limit) { batch in try await Self.repeating { try await table.note(batch) } }
    windows = Coalescer(limit: max(1, 4096 / window), gather: gather) { try await table.windows(of: $0, limit: window) }
    releases = Coalescer(limit: limit, gather: gather) { batch in
      try await Self.repeating { try await leases.release(batch) }
      return batch.map { _ in true }
    }
  }

  /// Repeats what the database has rolled back because of another transaction.
  private static func repeating<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    for _ in 0..<3 {
      do { return try await body() } catch let error as PostgreSQLError where error.isConflict { continue }
    }
    return try await body()
  }

  func advance(_ step: OutboxTable.Advance) async throws -> OutboxTable.Advanced { try await advances.run(step) }
  func note(_ setback: OutboxTable.Setback) async throws -> Bool { try await setbacks.run(setback) }
  func window(of lease: OutboxLease) async throws -> OutboxTable.Window { try await windows.run(lease) }
  func release(_ release: OutboxRelease) async throws { _ = try await releases.run(release) }
}

extension PostgreSQLError {
  /// Whether the statement was rolled back because of a concurrent one, and can be repeated.
  var isConflict: Bool { ["40001", "40P01"].contains(sqlState) }
}

/// The store of one leased subject's deliveries.
///
/// One statement removes an entry that took effect, and notes that the next one is about to be sent. Call ``flush()``
/// after the last delivery, and before anything else than a delivery.
struct SubjectStore: DeliveryStore {
  let lease: OutboxLease
  let batches: OutboxBatches
  /// Throws after the end of the lease.
  let check: @Sendable () throws -> Void
  /// Called after an entry was removed because it took effect.
  let noteFinish: @Sendable (OutboxEntry) -> Void
  private let unfinished = Locked<(entry: OutboxEntry, realID: String?)?>(nil)

  init(
    lease: OutboxLease, batches: OutboxBatches, check: @escaping @Sendable () throws -> Void,
    noteFinish: @escaping @Sendable (OutboxEntry) -> Void
  ) {
    (self.lease, self.batches, self.check, self.noteFinish) = (lease, batches, check, noteFinish)
  }

  private func place(_ entry: OutboxEntry) -> OutboxTable.Place {
    OutboxTable.Place(id: entry.id, key: entry.key, lease: lease)
  }

  private func takeUnfinished() -> (entry: OutboxEntry, finish: OutboxTable.Finish)? {
    unfinished.withLock { unfinished in
      defer { unfinished = nil }
      return unfinished.map { ($0.entry, OutboxTable.Finish(place: place($0.entry), realID: $0.realID)) }
    }
  }

  /// Removes the last entry that took effect.
  ///
  /// After the end of the lease, this changes nothing, and the next owner sends the entry under the same key.
  func flush() async throws {
    guard let (entry, finish) = takeUnfinished() else { return }
    if try await batches.advance(.finish(finish)).isFinished { noteFinish(entry) }
  }

  func noteAttempt(_ entry: OutboxEntry, now: Double) async throws -> OutboxEntry? {
    try check()
    let earlier = takeUnfinished()
    let advanced = try await batches.advance(.attempt(place(entry), after: earlier?.finish))
    if advanced.isFinished, let earlier { noteFinish(earlier.entry) }
    guard let noted = advanced.attempt else { return nil }
    // The lease can have ended while the statement waited.
    try check()
    var entry = entry
    (entry.attempts, entry.firstAttemptAt, entry.lastAttemptAt) = (noted.attempts, noted.first, noted.last)
    return entry
  }

  private func note(_ setback: OutboxTable.Setback) async throws -> Bool {
    try check()
    try await flush()
    return try await batches.note(setback)
  }

  func noteFailure(
    _ failure: OutboxFailure, of entry: OutboxEntry, firstAttemptAt: Double?, nextAttemptAt: Double?
  ) async throws {
    var setback = OutboxTable.Setback(place: place(entry), kind: .later, failure: failure)
    (setback.firstAttemptAt, setback.nextAttemptAt) = (firstAttemptAt, nextAttemptAt)
    _ = try await note(setback)
  }

  func replaceKey(of entry: OutboxEntry, by key: String) async throws -> OutboxEntry? {
    var setback = OutboxTable.Setback(place: place(entry), kind: .key)
    setback.key = key
    guard try await note(setback) else { return nil }
    var entry = entry
    entry.key = key
    (entry.firstAttemptAt, entry.lastAttemptAt) = (nil, nil)
    return entry
  }

  func markDead(_ entry: OutboxEntry, _ failure: OutboxFailure) async throws {
    _ = try await note(OutboxTable.Setback(place: place(entry), kind: .dead, failure: failure))
  }

  func finish(
    _ entry: OutboxEntry, realID: String?, now: Double, beforeCommit: @escaping @Sendable () -> Void
  ) async throws {
    try await flush()
    unfinished.withLock { $0 = (entry, entry.newID == nil ? nil : realID) }
    // Later entries may name what it has created.
    if entry.newID != nil { try await flush() }
  }
}

import NovaCore

/// One entry on its way, from its choice to the result of one attempt.
///
/// 1. ``run()`` decides whether the entry may be sent under its key (``KeyDecision``).
/// 2. If the gateway may have forgotten the key, `check` asks by a read whether an earlier attempt took effect.
/// 3. `send` stores the attempt, sends the entry, and judges the answer (``DeliveryOutcome``).
/// 4. `finish` applies the change to the stored facts and deletes the entry; `markDead` makes the entry a dead letter;
///    `noteFailure` keeps it for a later attempt.
///
/// An error of the store ends the delivery: an entry whose attempt cannot be stored is not sent.
package struct Delivery: Sendable {
  /// What became of the entry.
  package enum Result: Sendable {
    /// The write took effect, and the entry is deleted.
    case delivered
    case dead(OutboxFailure)
    /// The gateway refused the session.
    case signedOut(OutboxFailure)
    /// The entry waits for another attempt.
    ///
    /// - Parameter isForAll: whether the gateway asked all writes to wait.
    case later(OutboxFailure, due: RetrySchedule.Due, isForAll: Bool)
    /// The entry was discarded or edited before it was sent.
    case gone
    /// The task was cancelled.
    case cancelled
  }

  package private(set) var entry: OutboxEntry
  let caller: any OutboxCaller
  let store: any DeliveryStore
  let environment: OutboxEnvironment
  /// Returns the host; nil if the program has dropped it.
  let host: @Sendable () -> (any OutboxHost)?

  /// Creates the delivery of an entry.
  ///
  /// - Parameter host: returns who applies confirmed writes to stored facts; nil if nobody does.
  package init(
    entry: OutboxEntry, caller: any OutboxCaller, store: any DeliveryStore, environment: OutboxEnvironment,
    host: @escaping @Sendable () -> (any OutboxHost)?
  ) {
    (self.entry, self.caller, self.store, self.environment, self.host) = (entry, caller, store, environment, host)
  }

  private var rule: WriteRule? { environment.rule(entry.rpc.id) }

  /// Tries the entry.
  ///
  /// - Throws: what the store throws, such as `APIError` if the file cannot be used.
  package mutating func run() async throws -> Result {
    environment.step(.choosing)
    switch KeyDecision(entry, rule, now: environment.clock.unixTime) {
    case .send: return try await send()
    case .sendWithNewKey: return try await sendWithNewKey()
    case .undecidable: return try await markDead(.undecidable(entry))
    case .check(let check, let since): return try await self.check(check, since: since)
    }
  }

  /// Asks whether the entry took effect, and continues accordingly.
  private mutating func check(_ check: WriteCheck, since: Int64) async throws -> Result {
    let finding: WriteCheck.Finding
    do {
      finding = check.find(try await caller.read(check, as: entry.identity), since)
      caller.connectivity.noteResponse()
    } catch {
      caller.connectivity.note(error)
      let outcome = DeliveryOutcome(error, of: entry, nil)
      switch outcome {
      case .done, .refused: finding = .unknown
      default: return try await conclude(outcome, firstAttemptAt: entry.firstAttemptAt)
      }
    }
    switch finding {
    case .done(let record): return try await finish(found: record)
    case .unknown where entry.rpc.effect == .notIdempotent: return try await markDead(.undecidable(entry))
    case .notDone, .unknown: return try await sendWithNewKey()
    }
  }

  private mutating func sendWithNewKey() async throws -> Result {
    let (old, key) = (entry, environment.makeKey())
    guard let renewed = try await store.replaceKey(of: old, by: key) else { return .gone }
    entry = renewed
    return try await send()
  }

  /// Stores the attempt, sends the entry, and continues accordingly.
  private mutating func send() async throws -> Result {
    let (earlier, now) = (entry, environment.clock.unixTime)
    guard let noted = try await store.noteAttempt(earlier, now: now) else { return .gone }
    entry = noted
    environment.step(.attempted)
    let sent: SentWrite
    do {
      sent = try await caller.send(entry)
    } catch {
      environment.step(.answered)
      caller.connectivity.note(error)
      return try await conclude(DeliveryOutcome(error, of: entry, rule), firstAttemptAt: earlier.firstAttemptAt)
    }
    environment.step(.answered)
    caller.connectivity.noteResponse()
    if let failure = sent.response.failure(of: entry.rpc, rule) { return try await markDead(failure) }
    return try await finish(sent, isRepeated: earlier.mayHaveLeft)
  }

  /// Continues after an attempt or a check that failed.
  ///
  /// - Parameter firstAttemptAt: that of the entry before the attempt.
  private func conclude(_ outcome: DeliveryOutcome, firstAttemptAt: Double?) async throws -> Result {
    switch outcome {
    case .done: return try await finish()
    case .refused(let failure): return try await markDead(failure)
    case .cancelled: return .cancelled
    case .signedOut(let failure):
      try await noteFailure(failure, firstAttemptAt: firstAttemptAt, nextAttemptAt: nil)
      return .signedOut(failure)
    case .later(let failure, let wait, let isForAll, let mayHaveLeft):
      let wait = RetrySchedule.pacing(longestWait: caller.longestWait).wait(
        after: max(1, entry.attempts), requested: wait, random: environment.random())
      let due = RetrySchedule.Due(after: wait, environment.clock)
      try await noteFailure(
        failure, firstAttemptAt: mayHaveLeft ? entry.firstAttemptAt : firstAttemptAt, nextAttemptAt: due.time)
      return .later(failure, due: due, isForAll: isForAll)
    }
  }

  private func noteFailure(_ failure: OutboxFailure, firstAttemptAt: Double?, nextAttemptAt: Double?) async throws {
    try await store.noteFailure(failure, of: entry, firstAttemptAt: firstAttemptAt, nextAttemptAt: nextAttemptAt)
  }

  private func markDead(_ failure: OutboxFailure) async throws -> Result {
    try await store.markDead(entry, failure)
    return .dead(failure)
  }

  /// Applies an entry that took effect to the stored facts, and then deletes it.
  ///
  /// - Parameters:
  ///   - sent: the answer; nil if it is only known that the entry took effect.
  ///   - isRepeated: whether an earlier attempt may have arrived.
  ///   - record: the record that the entry has created, as a read has shown it.
  private func finish(
    _ sent: SentWrite? = nil, isRepeated: Bool = true, found record: (any StoredRecord)? = nil
  ) async throws -> Result {
    // In a task of its own, so that a cancelled burst leaves neither of the two undone.
    try await Task {
      // If the cache cannot keep the change, the write must not be sent again for that.
      try? await host()?.confirmed(entry, by: sent, isRepeated: isRepeated)
      environment.step(.confirmed)
      let realID = (sent?.response.stated ?? record).flatMap { CreatedRecord.id(in: $0, rule?.created) }
      let now = environment.clock.unixTime
      try await store.finish(entry, realID: realID, now: now) { environment.step(.finishing) }
      environment.step(.finished)
    }.value
    return .delivered
  }
}

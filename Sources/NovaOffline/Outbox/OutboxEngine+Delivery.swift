import NovaCore

/// One entry: from its choice to its end.
extension OutboxEngine {
  /// An entry, and with what it is sent.
  private struct Delivery {
    var entry: OutboxEntry
    let rule: WriteRule?
    let caller: any OutboxCaller

    /// The same with the entry as it is now.
    func with(_ entry: OutboxEntry) -> Delivery { Delivery(entry: entry, rule: rule, caller: caller) }
  }

  /// Tries an entry.
  ///
  /// - Returns: why the burst ends; nil if it continues.
  func deliver(_ entry: OutboxEntry, by caller: any OutboxCaller, _ burst: inout Burst) async -> Burst.End? {
    environment.step(.choosing)
    let delivery = Delivery(entry: entry, rule: environment.rule(entry.rpc.id), caller: caller)
    do {
      switch KeyDecision(entry, delivery.rule, now: environment.clock.unixTime) {
      case .send: return try await attempt(delivery, &burst)
      case .sendWithNewKey: return try await attemptAnew(delivery, &burst)
      case .undecidable: return try await bury(entry, because: .undecidable(entry), &burst)
      case .check(let check, let since): return try await look(delivery, with: check, since: since, &burst)
      }
    } catch {
      // The file: what cannot be written down is not sent.
      publish(entry.identity)
      return .failed
    }
  }

  /// Asks whether the entry took effect, and continues accordingly.
  private func look(
    _ delivery: Delivery, with check: WriteCheck, since: Int64, _ burst: inout Burst
  ) async throws -> Burst.End? {
    let (entry, caller) = (delivery.entry, delivery.caller)
    let finding: WriteCheck.Finding
    do {
      finding = check.find(try await caller.read(check, as: entry.identity), since)
      caller.connectivity.noteResponse()
    } catch {
      caller.connectivity.note(error)
      let outcome = DeliveryOutcome(error, of: entry, nil)
      switch outcome {
      case .done, .refused: finding = .unknown
      default: return try await settle(delivery, outcome, firstAttemptAt: entry.firstAttemptAt, &burst)
      }
    }
    switch finding {
    case .done(let record): return try await succeed(delivery, found: record, &burst)
    case .notDone: return try await attemptAnew(delivery, &burst)
    case .unknown where entry.rpc.effect == .notIdempotent:
      return try await bury(entry, because: .undecidable(entry), &burst)
    case .unknown: return try await attemptAnew(delivery, &burst)
    }
  }

  /// Sends the entry under a new key.
  private func attemptAnew(_ delivery: Delivery, _ burst: inout Burst) async throws -> Burst.End? {
    let (entry, key) = (delivery.entry, environment.makeKey())
    guard let renewed = try await store.use({ try $0.replaceKey(of: entry, by: key) }) else { return nil }
    return try await attempt(delivery.with(renewed), &burst)
  }

  /// Writes the attempt down, sends the entry, and continues accordingly.
  private func attempt(_ delivery: Delivery, _ burst: inout Burst) async throws -> Burst.End? {
    let (entry, caller) = (delivery.entry, delivery.caller)
    let now = environment.clock.unixTime
    // Nil if somebody has discarded or changed it meanwhile.
    guard let sent = try await store.use({ try $0.noteAttempt(entry, now: now) }) else { return nil }
    environment.step(.attempted)
    let answer: Result<APIResponse<any ProtoMessage>, any Error>
    do {
      answer = .success(try await caller.send(sent))
    } catch {
      answer = .failure(error)
    }
    environment.step(.answered)
    let outcome: DeliveryOutcome
    switch answer {
    case .success(let response):
      caller.connectivity.noteResponse()
      guard let failure = Self.failure(in: response, sent, delivery.rule) else {
        return try await succeed(
          delivery.with(sent), response: response.stated, isRepeated: entry.mayHaveLeft, &burst)
      }
      outcome = .refused(failure)
    case .failure(let error):
      caller.connectivity.note(error)
      outcome = DeliveryOutcome(error, of: sent, delivery.rule)
    }
    return try await settle(delivery.with(sent), outcome, firstAttemptAt: entry.firstAttemptAt, &burst)
  }

  /// What a response says that reports a failure although its status is a success.
  private static func failure(
    in response: APIResponse<any ProtoMessage>, _ entry: OutboxEntry, _ rule: WriteRule?
  ) -> OutboxFailure? {
    if let report = response.value as? any AcknowledgedResponse, !report.success {
      return OutboxFailure(
        APIError(.failedPrecondition, "the server did not do it", rpc: entry.rpc.id, requestID: response.requestID))
    }
    guard let problem = WriteAnswer.problem(response.value, entry.rpc, rule) else { return nil }
    return OutboxFailure(
      APIError(
        .invalidResponse, "\(problem), so the change may have taken effect; look for it before you retry it",
        rpc: entry.rpc.id, requestID: response.requestID, httpStatus: response.status))
  }

  /// Continues after an attempt that did not succeed.
  ///
  /// - Parameter firstAttemptAt: that of the entry before the attempt.
  private func settle(
    _ delivery: Delivery, _ outcome: DeliveryOutcome, firstAttemptAt: Double?, _ burst: inout Burst
  ) async throws -> Burst.End? {
    let entry = delivery.entry
    switch outcome {
    case .done: return try await succeed(delivery, &burst)
    case .refused(let failure): return try await bury(entry, because: failure, &burst)
    case .cancelled: return .empty
    case .signedOut(let failure):
      try await note(failure, entry, firstAttemptAt: firstAttemptAt, nextAttemptAt: nil, &burst)
      publish(entry.identity) { $0.isRefused = true }
      return .paused(.signedOut)
    case .later(let failure, let wait, let isForAll, let mayHaveLeft):
      let clock = environment.clock
      let wait = RetrySchedule.pacing(longestWait: delivery.caller.longestWait).wait(
        after: max(1, entry.attempts), requested: wait, random: environment.random())
      let time = schedule.wait(entry, for: wait, clock)
      try await note(
        failure, entry, firstAttemptAt: mayHaveLeft ? entry.firstAttemptAt : firstAttemptAt, nextAttemptAt: time, &burst
      )
      if isForAll {
        publish(entry.identity) { $0.restingUntil = clock.now.advanced(by: wait) }
        return .paused(.rateLimited)
      }
      return delivery.caller.connectivity.isOnline ? nil : .paused(.offline)
    }
  }

  private func note(
    _ failure: OutboxFailure, _ entry: OutboxEntry, firstAttemptAt: Double?, nextAttemptAt: Double?,
    _ burst: inout Burst
  ) async throws {
    try await store.use {
      try $0.noteFailure(entry, failure, firstAttemptAt: firstAttemptAt, nextAttemptAt: nextAttemptAt)
    }
    publish(entry.identity) { $0.lastFailure = failure }
    burst.failure = failure
  }

  private func bury(
    _ entry: OutboxEntry, because failure: OutboxFailure, _ burst: inout Burst
  ) async throws -> Burst.End? {
    try await store.use { try $0.bury(entry, failure) }
    burst.refused += 1
    burst.failure = failure
    publish(entry.identity) { $0.lastFailure = failure }
    changed(entry.identity)
    return nil
  }

  /// Applies an entry that took effect, and then removes it.
  ///
  /// - Parameters:
  ///   - response: nil if it is only known that it took effect.
  ///   - isRepeated: whether an earlier attempt may have arrived.
  ///   - record: what it has created, as a read has shown it.
  private func succeed(
    _ delivery: Delivery, response: (any ProtoMessage)? = nil, isRepeated: Bool = true,
    found record: (any StoredRecord)? = nil, _ burst: inout Burst
  ) async throws -> Burst.End? {
    let (entry, rule) = (delivery.entry, delivery.rule)
    let (store, environment, host) = (store, environment, host)
    // In a task of its own: whoever cancels the burst must not tear the two apart.
    try await Task {
      // A cache that cannot keep the change is no reason to send the write again.
      try? await host?.confirmed(entry, response, isRepeated: isRepeated)
      environment.step(.confirmed)
      let realID = (response ?? record).flatMap { CreatedRecord.id(in: $0, rule?.created) }
      let now = environment.clock.unixTime
      try await store.use { database in
        try database.finish(entry, realID: realID, now: now) { environment.step(.finishing) }
      }
      environment.step(.finished)
    }.value
    burst.sent += 1
    publish(entry.identity) { $0.lastFailure = nil }
    changed(entry.identity)
    return nil
  }
}

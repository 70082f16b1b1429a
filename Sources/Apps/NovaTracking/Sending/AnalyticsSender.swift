import NovaAnalytics
package import NovaCore

/// Sends the events in a storage, one request at a time.
///
/// A round goes through the callers of a ``SendingPlan``: first those whose events could be sent last time, so that one
/// caller's failures do not hold up the others. It ends early if the gateway itself fails, or after three failures in a
/// row. Each batch is marked as attempted, sent, and removed from the storage once the response confirms it. A refused
/// batch is halved until it contains one event; if that event is refused as well, it is counted as rejected and
/// dropped. After three such events without a success, the gateway seems to refuse everything, and the round ends.
actor AnalyticsSender {
  private let parts: TrackerParts
  /// The round in progress.
  private var round: Task<SendOutcome, Never>?
  /// What that round has done so far.
  private var outcome = SendOutcome()
  /// The limit of the next request. After a refusal, it is lower than the limit in the options.
  private var limit: WaitingSize
  /// How many events in a row were refused on their own.
  private var refusals = 0
  /// The maximum number of events that a round drops if the gateway refuses everything.
  private static let mostRefusals = 3
  /// The callers whose events could not be sent in the latest round.
  private var failed: Set<AnalyticsCaller> = []
  /// After failures of so many callers in a row, a round ends.
  private static let mostFailures = 3
  private static let refusal = "the gateway refused the event", tooLarge = "the event is too large for the gateway"

  init(_ parts: TrackerParts) {
    self.parts = parts
    limit = WaitingSize(count: parts.options.batchCount, bytes: parts.options.batchBytes)
  }

  /// Sends the events of a plan's callers, after any round in progress. Stops when the task is cancelled.
  func sendAll(_ plan: SendingPlan) async -> SendOutcome {
    while let round { _ = await round.value }
    let round = Task {
      outcome = SendOutcome()
      await send(plan)
      self.round = nil
      return outcome
    }
    self.round = round
    return await withTaskCancellationHandler {
      await round.value
    } onCancel: {
      round.cancel()
    }
  }

  /// Cancels a round in progress, and returns when it has ended.
  func cancel() async {
    round?.cancel()
    _ = await round?.value
  }

  private func send(_ plan: SendingPlan) async {
    guard let lease = await parts.writer.run({ [parts] _ in SenderLease(parts.directory) }) else {
      outcome.isBusy = true
      return
    }
    await parts.writer.run { $0.removeExpired() }
    // Callers that failed come last, so that the others have their turn before the round ends early.
    let callers = await parts.writer.run { $0.callers }
    let ordered = callers.filter { !failed.contains($0) } + callers.filter { failed.contains($0) }
    var failuresInARow = 0
    for caller in ordered where !Task.isCancelled {
      guard let sender = await plan.sender(for: caller) else { continue }
      let error = await send(sender)
      guard let error else {
        (failed, failuresInARow) = (failed.subtracting([caller]), 0)
        continue
      }
      if error.code == .cancelled {
        outcome.error = error
        (outcome.hasOwnFailed, outcome.haveOthersFailed) = (true, true)
        break
      }
      note(error, of: sender, for: caller, in: plan)
      if error.isRefusal { continue }
      failuresInARow += 1
      if error.isAboutGateway || failuresInARow >= Self.mostFailures {
        (outcome.hasOwnFailed, outcome.haveOthersFailed) = (true, true)
        break
      }
    }
    failed.formIntersection(callers)
    withExtendedLifetime(lease) {}
  }

  /// Sends all waiting events of a caller.
  private func send(_ sender: CallerSender) async -> APIError? {
    if let failure = sender.failure { return failure }
    while !Task.isCancelled {
      let limit = limit
      let batch = await parts.writer.run { $0.batch(of: sender.caller, count: limit.count, bytes: limit.bytes) }
      outcome.unreadableCount += batch.lostCount
      if batch.events.isEmpty { return nil }
      if let error = await send(batch, by: sender) { return error }
    }
    return nil
  }

  private func note(_ error: APIError, of sender: CallerSender, for caller: AnalyticsCaller, in plan: SendingPlan) {
    failed.insert(caller)
    if sender.isOwn {
      outcome.hasOwnFailed = true
      outcome.error = error
    } else {
      outcome.error = outcome.error ?? error
      if error.isRefusal { plan.noteRefusal(of: sender) } else { outcome.haveOthersFailed = true }
    }
  }

  private func send(_ batch: AnalyticsBatch, by sender: CallerSender) async -> APIError? {
    let time = Milliseconds.clamped(parts.clock.unixTime * 1000)
    do {
      await parts.writer.run { $0.noteAttempt(batch) }
      let response = try await sender.service.recordEvents(RecordEventsRequest(events: batch.events, sentAtMs: time))
      let rejected = Self.rejected(response, of: batch)
      let settledCount = response.acceptedCount + rejected.count
      // The gateway does not count events again that it recorded at an earlier attempt.
      guard settledCount >= batch.newCount else { return Self.unconfirmed(batch, settledCount) }
      outcome.uncountedCount += max(0, batch.events.count - settledCount)
      await settle(batch, rejected: rejected)
      refusals = 0
      limit.count = min(limit.count * 2, parts.options.batchCount)
      limit.bytes = min(limit.bytes * 2, parts.options.batchBytes)
      return nil
    } catch {
      return await recover(from: APIError.seenByCallers(error), batch)
    }
  }

  private static func unconfirmed(_ batch: AnalyticsBatch, _ count: Int) -> APIError {
    APIError(
      .invalidResponse,
      "the gateway confirmed \(max(0, count)) of \(batch.events.count) events",
      advice: "all of them stay and are sent again",
      rpc: AnalyticsRPC.recordEvents.descriptor.id)
  }

  /// Why events of the batch were not recorded, one reason for each.
  private static func rejected(_ response: RecordEventsResponse, of batch: AnalyticsBatch) -> [String] {
    let ids = Set(of: batch.events.map(\.id.byteKey))
    var seen: Set<String> = []
    return response.rejected.filter { ids.contains($0.id.byteKey) && seen.add($0.id.byteKey) }.map(\.reason)
  }

  private func settle(_ batch: AnalyticsBatch, rejected: [String]) async {
    var counts = TrackingCounts()
    counts.sent = batch.events.count - rejected.count
    for reason in rejected { counts.addRejected(reason) }
    outcome.sentCount += counts.sent
    outcome.rejectedCount += rejected.count
    outcome.unreadableCount += batch.unreadableCount
    await parts.writer.run { [counts] in $0.remove(batch, counts) }
  }

  /// Makes the next request smaller if the gateway refused this one for its content.
  ///
  /// - Returns: why the caller's events cannot be sent now; nil to continue.
  private func recover(from error: any Error, _ batch: AnalyticsBatch) async -> APIError? {
    let failure = error as? APIError ?? APIError(.networkError, "the events could not be sent")
    let isTooLarge = failure.httpStatus == 413
    // A response of another server, or to a refresh of the session, is not about the events.
    if failure.isFromAnotherServer || failure.isOfRefresh { return failure }
    // A proxy's response is about the events only if they are too large for it.
    let isRefusal = failure.isRefusalOfService
    guard isTooLarge || failure.code == .invalidArgument && isRefusal else { return failure }
    if batch.events.count > 1 {
      let half = (batch.events.count + 1) / 2
      limit.count = half
      if isTooLarge { limit.bytes = max(limit.bytes / 2, 1) }
      return nil
    }
    guard isRefusal else { return failure }
    await settle(batch, rejected: [isTooLarge ? Self.tooLarge : Self.refusal])
    refusals += 1
    return refusals >= Self.mostRefusals ? failure : nil
  }
}

extension APIError {
  /// Whether the gateway or the token provider refuses this caller, but may accept others.
  fileprivate var isRefusal: Bool { code == .unauthorized || code == .permissionDenied }

  /// Whether the gateway would refuse every caller.
  fileprivate var isAboutGateway: Bool { httpStatus == 429 || httpStatus == 503 }
}

/// What a round of sending did.
package struct SendOutcome: Sendable {
  /// The number of events that the gateway accepted.
  package var sentCount = 0
  /// The number of accepted events that the gateway did not count, because it had recorded them at an earlier attempt,
  /// or not at all.
  package var uncountedCount = 0
  /// The number of stored events that could not be read, and are lost.
  package var unreadableCount = 0
  /// The number of events that the gateway rejected.
  package var rejectedCount = 0
  /// Why events are left: the error of the client's own user, or else another caller's. Nil if all events with
  /// credentials in memory were sent.
  package var error: APIError?
  /// The number of events that wait for callers whose credentials are not in memory.
  package var heldCount = 0
  /// Whether events of the client's own user, and those of other callers, must be sent again later.
  var hasOwnFailed = false, haveOthersFailed = false
  /// Whether this tracker sent nothing because another one with the same directory was sending.
  package var isBusy = false
}

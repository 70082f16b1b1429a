import NovaAnalytics
package import NovaCore

/// Sends what waits in a storage, one request at a time.
actor AnalyticsSender {
  private let writer: AnalyticsWriter
  private let directory: TrackingDirectory
  private let options: TrackingOptions
  private let clock: any CallClock
  /// The round in progress.
  private var round: Task<SendOutcome, Never>?
  /// How many events and bytes the next request has at most: less than the options after a refusal.
  private var limit: WaitingSize
  /// Events that were refused one by one, without one that was taken in between.
  private var refusals = 0
  /// A gateway that refuses everything must not cost more than these events at a time.
  private static let mostRefusals = 3
  /// Callers whose events could not be sent in the latest round.
  private var failed: Set<AnalyticsCaller> = []
  /// A round ends after so many callers in a row whose events could not be sent.
  private static let mostFailures = 3
  private static let refusal = "the gateway refused the event", tooLarge = "the event is too large for the gateway"

  init(_ writer: AnalyticsWriter, _ directory: TrackingDirectory, options: TrackingOptions, clock: any CallClock) {
    self.writer = writer
    self.directory = directory
    self.options = options
    self.clock = clock
    limit = WaitingSize(count: options.batchCount, bytes: options.batchBytes)
  }

  /// Sends what waits for the callers of a plan, after a round that is in progress. Stops when the task is cancelled.
  func sendAll(_ plan: SendingPlan) async -> SendOutcome {
    while let round { _ = await round.value }
    let round = Task {
      let outcome = await send(plan)
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

  /// Stops a round, and returns when it has ended.
  func cancel() async {
    round?.cancel()
    _ = await round?.value
  }

  private func send(_ plan: SendingPlan) async -> SendOutcome {
    var outcome = SendOutcome()
    guard let lease = await writer.run({ [directory] _ in SenderLease(directory) }) else {
      outcome.isBusy = true
      return outcome
    }
    await writer.run { $0.removeExpired() }
    // Those who failed come last, so that the others have their turn before the round ends early.
    let callers = await writer.run { $0.callers }
    let ordered = callers.filter { !failed.contains($0) } + callers.filter { failed.contains($0) }
    var failuresInARow = 0
    for caller in ordered where !Task.isCancelled {
      guard let sender = await plan.sender(for: caller) else { continue }
      let error = await send(sender, &outcome)
      guard let error else {
        (failed, failuresInARow) = (failed.subtracting([caller]), 0)
        continue
      }
      if error.code == .cancelled {
        outcome.error = error
        (outcome.hasOwnFailed, outcome.haveOthersFailed) = (true, true)
        break
      }
      note(error, of: sender, for: caller, in: plan, &outcome)
      if error.isRefusal { continue }
      failuresInARow += 1
      if error.isAboutGateway || failuresInARow >= Self.mostFailures {
        (outcome.hasOwnFailed, outcome.haveOthersFailed) = (true, true)
        break
      }
    }
    failed.formIntersection(callers)
    withExtendedLifetime(lease) {}
    return outcome
  }

  /// Sends all that waits for a caller.
  private func send(_ sender: CallerSender, _ outcome: inout SendOutcome) async -> APIError? {
    if let failure = sender.failure { return failure }
    while !Task.isCancelled {
      let limit = limit
      let batch = await writer.run { $0.batch(of: sender.caller, count: limit.count, bytes: limit.bytes) }
      outcome.unreadableCount += batch.lostCount
      if batch.events.isEmpty { return nil }
      if let error = await send(batch, by: sender, &outcome) { return error }
    }
    return nil
  }

  private func note(
    _ error: APIError, of sender: CallerSender, for caller: AnalyticsCaller, in plan: SendingPlan,
    _ outcome: inout SendOutcome
  ) {
    failed.insert(caller)
    if sender.isOwn {
      outcome.hasOwnFailed = true
      outcome.error = error
    } else {
      outcome.error = outcome.error ?? error
      if error.isRefusal { plan.noteRefusal(of: sender) } else { outcome.haveOthersFailed = true }
    }
  }

  private func send(_ batch: AnalyticsBatch, by sender: CallerSender, _ outcome: inout SendOutcome) async -> APIError? {
    let time = Milliseconds.clamped(clock.unixTime * 1000)
    do {
      await writer.run { $0.noteAttempt(batch) }
      let response = try await sender.service.recordEvents(RecordEventsRequest(events: batch.events, sentAtMs: time))
      let rejected = Self.rejected(response, of: batch)
      let settledCount = response.acceptedCount + rejected.count
      // Those that were recorded at an earlier attempt do not count again.
      guard settledCount >= batch.newCount else { return Self.unconfirmed(batch, settledCount) }
      outcome.uncountedCount += max(0, batch.events.count - settledCount)
      await settle(batch, rejected: rejected, &outcome)
      refusals = 0
      limit.count = min(limit.count * 2, options.batchCount)
      limit.bytes = min(limit.bytes * 2, options.batchBytes)
      return nil
    } catch {
      return await recover(from: APIError.seenByCallers(error), batch, &outcome)
    }
  }

  private static func unconfirmed(_ batch: AnalyticsBatch, _ count: Int) -> APIError {
    APIError(
      .invalidResponse,
      "the gateway reports \(max(0, count)) of \(batch.events.count) events; all of them stay, and are sent again",
      rpc: AnalyticsRPC.recordEvents.descriptor.id)
  }

  /// The reasons for the events of the batch that were not recorded.
  private static func rejected(_ response: RecordEventsResponse, of batch: AnalyticsBatch) -> [String] {
    let ids = Set(of: batch.events.map(\.id.byteKey))
    var seen: Set<String> = []
    return response.rejected.filter { ids.contains($0.id.byteKey) && seen.add($0.id.byteKey) }.map(\.reason)
  }

  private func settle(_ batch: AnalyticsBatch, rejected: [String], _ outcome: inout SendOutcome) async {
    var counts = TrackingCounts()
    counts.sent = batch.events.count - rejected.count
    for reason in rejected { counts.addRejected(reason) }
    outcome.sentCount += counts.sent
    outcome.rejectedCount += rejected.count
    outcome.unreadableCount += batch.unreadableCount
    await writer.run { [counts] in $0.remove(batch, counts) }
  }

  /// Makes the next request smaller if this one was refused.
  ///
  /// - Returns: why the caller's events cannot be sent now; nil if they can.
  private func recover(from error: any Error, _ batch: AnalyticsBatch, _ outcome: inout SendOutcome) async -> APIError? {
    let failure = error as? APIError ?? APIError(.networkError, "the events could not be sent")
    let isTooLarge = failure.httpStatus == 413
    // Another server, or a refresh of the session, says nothing about the events.
    if failure.isFromAnotherServer || failure.isOfRefresh { return failure }
    // Nor does a proxy, except that it takes only small requests.
    let isRefusal = failure.isRefusalOfService
    guard isTooLarge || failure.code == .invalidArgument && isRefusal else { return failure }
    if batch.events.count > 1 {
      let half = (batch.events.count + 1) / 2
      limit.count = half
      if isTooLarge { limit.bytes = max(limit.bytes / 2, 1) }
      return nil
    }
    guard isRefusal else { return failure }
    await settle(batch, rejected: [isTooLarge ? Self.tooLarge : Self.refusal], &outcome)
    refusals += 1
    return refusals >= Self.mostRefusals ? failure : nil
  }
}

extension APIError {
  /// Whether the gateway, or the token provider, refuses the caller. Others may be served.
  fileprivate var isRefusal: Bool { code == .unauthorized || code == .permissionDenied }

  /// Whether no other caller would be served, either.
  fileprivate var isAboutGateway: Bool { httpStatus == 429 || httpStatus == 503 }
}

/// What a round of sending did.
package struct SendOutcome: Sendable {
  /// How many events the gateway took.
  package var sentCount = 0
  /// How many of these it did not count, because it recorded them at an earlier attempt, or not at all.
  package var uncountedCount = 0
  /// How many stored events could not be read, and are lost.
  package var unreadableCount = 0
  /// How many it rejected.
  package var rejectedCount = 0
  /// Why something is left: the client's own user's error, or else another caller's; nil if all who could be sent for
  /// were.
  package var error: APIError?
  /// How many events wait for callers whose credentials are not at hand.
  package var heldCount = 0
  /// Whether events of the client's own user, and those of others, must be sent again later.
  var hasOwnFailed = false, haveOthersFailed = false
  /// Whether another tracker with the same directory is sending, so that this one sent nothing.
  package var isBusy = false
}

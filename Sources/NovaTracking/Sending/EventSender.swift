import NovaAnalytics
package import NovaCore

/// Sends what waits in a storage, one request at a time.
actor EventSender {
  private let writer: EventWriter
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
  private static let refusal = "the gateway refused the event", tooLarge = "the event is too large for the gateway"

  init(_ writer: EventWriter, _ directory: TrackingDirectory, options: TrackingOptions, clock: any CallClock) {
    self.writer = writer
    self.directory = directory
    self.options = options
    self.clock = clock
    limit = WaitingSize(count: options.batchCount, bytes: options.batchBytes)
  }

  /// Sends all that waits, after a round that is in progress. Stops when the task is cancelled.
  func sendAll(by client: APIClient) async -> SendOutcome {
    while let round { _ = await round.value }
    let round = Task {
      let outcome = await send(by: client)
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

  private func send(by client: APIClient) async -> SendOutcome {
    var outcome = SendOutcome()
    guard let lease = await writer.run({ [directory] _ in SenderLease(directory) }) else {
      outcome.isBusy = true
      return outcome
    }
    await writer.run { $0.removeExpired() }
    while !Task.isCancelled, outcome.error == nil {
      let limit = limit
      let batch = await writer.run { $0.batch(count: limit.count, bytes: limit.bytes) }
      if batch.events.isEmpty { break }
      await send(batch, by: client, &outcome)
    }
    withExtendedLifetime(lease) {}
    return outcome
  }

  private func send(_ batch: EventBatch, by client: APIClient, _ outcome: inout SendOutcome) async {
    let service = AnalyticsService(
      client: client, options: CallOptions(cache: .networkOnly, delivery: .immediate))
    let time = Milliseconds.clamped(clock.unixTime * 1000)
    do {
      let response = try await service.recordEvents(RecordEventsRequest(events: batch.events, sentAtMs: time))
      await settle(batch, rejected: Self.rejected(response, of: batch), &outcome)
      refusals = 0
      limit.count = min(limit.count * 2, options.batchCount)
      limit.bytes = min(limit.bytes * 2, options.batchBytes)
    } catch {
      await recover(from: APIError.seenByCallers(error), batch, &outcome)
    }
  }

  /// The reasons for the events of the batch that were not recorded.
  private static func rejected(_ response: RecordEventsResponse, of batch: EventBatch) -> [String] {
    let ids = Set(batch.events.map(\.id))
    var seen: Set<String> = []
    return response.rejected.filter { ids.contains($0.id) && seen.insert($0.id).inserted }.map(\.reason)
  }

  private func settle(_ batch: EventBatch, rejected: [String], _ outcome: inout SendOutcome) async {
    var counts = TrackingCounts()
    counts.sent = batch.events.count - rejected.count
    for reason in rejected { counts.addRejected(reason) }
    outcome.sentCount += counts.sent
    outcome.rejectedCount += rejected.count
    await writer.run { [counts] in $0.remove(batch, counts) }
  }

  /// Makes the next request smaller if this one was refused; otherwise ends the round.
  private func recover(from error: any Error, _ batch: EventBatch, _ outcome: inout SendOutcome) async {
    let failure = error as? APIError ?? APIError(.networkError, "the events could not be sent")
    let isTooLarge = failure.httpStatus == 413
    guard isTooLarge || failure.code == .invalidArgument else { return outcome.error = failure }
    if batch.events.count > 1 {
      let half = (batch.events.count + 1) / 2
      limit.count = half
      if isTooLarge { limit.bytes = max(limit.bytes / 2, 1) }
      return
    }
    await settle(batch, rejected: [isTooLarge ? Self.tooLarge : Self.refusal], &outcome)
    refusals += 1
    if refusals >= Self.mostRefusals { outcome.error = failure }
  }
}

/// What a round of sending did.
package struct SendOutcome: Sendable {
  /// How many events the gateway took.
  package var sentCount = 0
  /// How many it rejected.
  package var rejectedCount = 0
  /// Why it ended early; nil if nothing is left.
  package var error: APIError?
  /// Whether another tracker with the same directory is sending, so that this one sent nothing.
  package var isBusy = false
}

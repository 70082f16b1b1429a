import NovaCore

/// Decides when to send, and with which credentials, and notes how it went.
///
/// A task waits for the earliest time of the two schedules in ``TrackerState`` (one for the client's own user, one for
/// all other callers), or for the signal that they have changed. Each round has three steps: ``SendingPlan`` determines
/// whose events may be sent and with what, ``AnalyticsSender`` sends them, and the outcome sets both schedules. A forced
/// round, from `flush` or `sendAll`, ignores the schedules.
final class AnalyticsDelivery: Sendable {
  private let parts: TrackerParts
  private let sender: AnalyticsSender
  private let ownUser: OwnUser
  private let loop = Locked<Task<Void, Never>?>(nil)
  private let latestError = Locked<String?>(nil)

  init(_ parts: TrackerParts, ownUser: OwnUser) {
    (self.parts, self.ownUser) = (parts, ownUser)
    sender = AnalyticsSender(parts)
  }

  deinit { loop.withLock { $0 }?.cancel() }

  /// Why the last round failed; nil if it succeeded, or there was none.
  var lastError: String? { latestError.withLock { $0 } }

  /// Starts to send by the schedules, until the client is gone or a round is cancelled.
  func begin() {
    loop.withLock { loop in
      guard loop == nil else { return }
      loop = Task.detached(priority: .utility) { [weak self, wakeSignal = parts.wakeSignal, clock = parts.clock] in
        await self?.prepare()
        while !Task.isCancelled, let time = self.map({ $0.nextTime }) {
          await wakeSignal.wait(until: time, clock)
          guard let self, await self.sendIfDue() else { break }
        }
        self?.loopEnded()
      }
    }
  }

  /// Cancels a round in progress, and returns when it has ended.
  func cancel() async { await sender.cancel() }

  /// Finds the events that an earlier run of the program has left.
  private func prepare() async {
    await ownUser.update()
    await parts.writer.run { [parts] storage in
      let (sizes, now) = (storage.sizes, parts.clock.now)
      parts.state.withLock { $0.setWaiting(sizes, at: now) }
    }
  }

  private var nextTime: ContinuousClock.Instant? { parts.state.withLock { $0.timeToSend } }

  /// - Returns: whether to continue.
  private func sendIfDue() async -> Bool {
    guard let time = nextTime, time <= parts.clock.now else { return true }
    guard let outcome = await send(isForced: false) else { return false }
    return outcome.error?.code != .cancelled
  }

  private func loopEnded() { loop.withLock { $0 = nil } }

  /// Sends the waiting events, and notes when to try again.
  ///
  /// - Parameter isForced: whether to include callers whose wait after a failure is not over.
  /// - Returns: nil without a client.
  func send(isForced: Bool) async -> SendOutcome? {
    guard let client = ownUser.client, let identity = await ownUser.update() else { return nil }
    let plan = await plan(client, identity, isForced: isForced)
    var outcome = await sender.sendAll(plan)
    if !outcome.isBusy {
      let error = outcome.error?.description
      latestError.withLock { $0 = error }
    }
    outcome.heldCount = await note(outcome, of: plan)
    return outcome
  }

  private func plan(_ client: APIClient, _ identity: Result<Identity, APIError>, isForced: Bool) async -> SendingPlan {
    let now = parts.clock.now
    let plan = parts.state.withLock { state in
      let isOwnReady = isForced || state.ownSchedule.isReady(at: now)
      return SendingPlan(
        client: client, parts: parts, own: isOwnReady ? (state.own, identity) : nil,
        includesOthers: isForced || state.otherSchedule.isReady(at: now))
    }
    // Another program that shares the directory may have stored events before the sign-in.
    if let own = plan.own?.caller, own != .anonymous {
      await parts.writer.run { [state = parts.state] storage in
        storage.applyChanges(of: state) { _ in }
        // Events stored after a sign-out belong to another user.
        if state.withLock({ $0.own == own }) { storage.move(from: .anonymous, to: own) }
      }
    }
    return plan
  }

  /// Notes how a round went.
  ///
  /// - Returns: the number of events that wait for callers whose credentials are not in memory.
  private func note(_ outcome: SendOutcome, of plan: SendingPlan) async -> Int {
    let (hasOwn, includesOthers, random) = (plan.own != nil, plan.includesOthers, parts.random())
    let requested = outcome.error?.serverWait.map { min($0, plan.client.configuration.maximumRetryWait) }
    return await parts.writer.run { [parts] storage in
      let (sizes, now, options) = (storage.sizes, parts.clock.now, parts.options)
      return parts.state.withLock { state in
        let waiting = state.waiting(sizes)
        if hasOwn {
          state.ownSchedule.endRound(
            left: waiting.own, at: now, isFailed: outcome.hasOwnFailed, isBusy: outcome.isBusy, requested: requested,
            options: options, random: random)
        }
        if includesOthers {
          state.otherSchedule.endRound(
            left: waiting.others, at: now, isFailed: outcome.haveOthersFailed, isBusy: outcome.isBusy,
            requested: requested, options: options, random: random)
        }
        return sizes.values.reduce(0) { $0 + $1.count } - waiting.own.count - waiting.others.count
      }
    }
  }
}

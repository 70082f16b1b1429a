public import NovaCore

extension EventTracker {
  public func begin(with client: APIClient) {
    // Before the first look at the user, which a sign-out can overtake.
    client.onSignOut { [weak self] _ in self?.noteOwn(.nobody, isGiven: false) }
    // Weak: the client has the tracker.
    connection.withLock { connection in
      connection.client = client
      guard connection.loop == nil else { return }
      connection.loop = Task.detached(priority: .utility) { [weak self, wakeSignal, clock] in
        await self?.prepare()
        while !Task.isCancelled, let time = self.map({ $0.nextTime }) {
          await wakeSignal.wait(until: time, clock)
          guard let self, await self.sendIfDue() else { break }
        }
        self?.loopEnded()
      }
    }
  }

  /// Sends with a client only when ``sendAll()`` or ``flush()`` is called, so that nothing else takes part in the result.
  package func use(_ client: APIClient) { connection.withLock { $0.client = client } }

  /// Finds what an earlier run of the program has left.
  private func prepare() async {
    await updateUser()
    await writer.run { [state, clock] storage in
      let (sizes, now) = (storage.sizes, clock.now)
      state.withLock { state in
        let waiting = state.waiting(sizes)
        state.ownSchedule.setWaiting(waiting.own, at: now)
        state.otherSchedule.setWaiting(waiting.others, at: now)
      }
    }
  }

  private var nextTime: ContinuousClock.Instant? { state.withLock { $0.timeToSend(options) } }

  /// - Returns: whether to continue.
  private func sendIfDue() async -> Bool {
    guard let time = nextTime, time <= clock.now else { return true }
    guard let outcome = await send(isForced: false) else { return false }
    return outcome.error?.code != .cancelled
  }

  private func loopEnded() { connection.withLock { $0.loop = nil } }

  /// Sends what waits, and notes when to try again.
  ///
  /// - Parameter isForced: whether those whose time has not come after a failure have their turn, too.
  /// - Returns: nil without a client.
  private func send(isForced: Bool) async -> SendOutcome? {
    guard let client = connection.withLock({ $0.client }), let identity = await updateUser() else { return nil }
    let plan = await plan(client, identity, isForced: isForced)
    var outcome = await sender.sendAll(plan)
    if !outcome.isBusy { connection.withLock { $0.lastError = outcome.error?.description } }
    outcome.heldCount = await note(outcome, of: plan)
    return outcome
  }

  private func plan(_ client: APIClient, _ identity: Result<Identity, APIError>, isForced: Bool) async -> SendingPlan {
    let now = clock.now
    let plan = state.withLock { state in
      let isOwnReady = isForced || state.ownSchedule.isReady(at: now)
      return SendingPlan(
        client: client, state: self.state, writer: writer, clock: clock,
        own: isOwnReady ? (state.own, identity) : nil,
        includesOthers: isForced || state.otherSchedule.isReady(at: now))
    }
    // Another program that shares the directory can have events from before the sign-in.
    if let own = plan.own?.caller, own != .nobody {
      await writer.run { [state] storage in
        Self.applyChanges(of: state, to: storage) { _ in }
        // What is stored after a sign-out is another user's.
        if state.withLock({ $0.own == own }) { storage.move(from: .nobody, to: own) }
      }
    }
    return plan
  }

  /// Notes how a round went.
  ///
  /// - Returns: how many events wait for callers whose credentials are not at hand.
  private func note(_ outcome: SendOutcome, of plan: SendingPlan) async -> Int {
    let (hasOwn, includesOthers, random) = (plan.own != nil, plan.includesOthers, random())
    let requested = outcome.error?.serverWait.map { min($0, plan.client.configuration.maximumRetryWait) }
    return await writer.run { [state, clock, options] storage in
      let (sizes, now) = (storage.sizes, clock.now)
      return state.withLock { state in
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

  /// Stores all events tracked so far, and sends what waits for the client's user and for the callers whose tokens or
  /// providers are at hand: those who have tracked since the program began. Within ``TrackingOptions/flushTimeout``. What cannot be
  /// sent stays on the disk. A client that shuts down calls it.
  public func flush() async {
    let end = clock.now.advanced(by: options.flushTimeout)
    try? await Race.run(until: end, clock, timeUp: CancellationError()) { _ = await self.sendAll() }
  }

  /// Sends what waits, and reports how that went; nil without a client.
  package func sendAll() async -> SendOutcome? {
    await waitUntilWritten()
    return await send(isForced: true)
  }
}

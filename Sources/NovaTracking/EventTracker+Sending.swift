public import NovaCore

extension EventTracker {
  public func begin(with client: APIClient) {
    // Weak: the client has the tracker.
    connection.withLock { connection in
      connection.client = client
      guard connection.loop == nil else { return }
      connection.loop = Task.detached(priority: .utility) { [weak self, alarm, clock] in
        await self?.prepare()
        while !Task.isCancelled, let time = self.map({ $0.nextTime }) {
          await alarm.wait(until: time, clock)
          guard let self, await self.sendIfDue() else { break }
        }
        self?.loopEnded()
      }
    }
    client.onSignOut { [weak self] in self?.noteUser(nil, isGiven: false) }
  }

  /// Sends with a client only when ``sendAll()`` or ``flush()`` is called, so that nothing else takes part in the result.
  package func use(_ client: APIClient) { connection.withLock { $0.client = client } }

  /// Finds what an earlier run of the program has left.
  private func prepare() async {
    await updateUser()
    let waiting = await writer.run { $0.waiting }
    let now = clock.now
    state.withLock { if $0.waiting.count == 0 { $0.setWaiting(waiting, at: now) } }
  }

  private var nextTime: ContinuousClock.Instant? { state.withLock { $0.timeToSend(options) } }

  /// - Returns: whether to go on.
  private func sendIfDue() async -> Bool {
    guard let time = nextTime, time <= clock.now else { return true }
    guard let outcome = await send() else { return false }
    return outcome.error?.code != .cancelled
  }

  private func loopEnded() { connection.withLock { $0.loop = nil } }

  /// Sends what waits, and notes when to try again.
  ///
  /// - Returns: nil without a client.
  private func send() async -> SendOutcome? {
    guard let client = connection.withLock({ $0.client }) else { return nil }
    let outcome = await sender.sendAll(by: client)
    let failures = connection.withLock { connection in
      connection.failures = outcome.error == nil ? 0 : connection.failures + 1
      if !outcome.isBusy { connection.lastError = outcome.error?.description }
      return connection.failures
    }
    let wait =
      outcome.isBusy
      ? options.flushInterval
      : options.backoff.wait(after: failures, random: random())
    let (size, now) = (await writer.run { $0.waiting }, clock.now)
    state.withLock { state in
      state.setWaiting(WaitingSize(), at: nil)
      state.setWaiting(size, at: now)
      state.retryAt = failures > 0 || outcome.isBusy ? now.advanced(by: wait) : nil
    }
    return outcome
  }

  /// Stores all events tracked so far, and sends what waits; within ``TrackingOptions/flushTimeout``. What cannot be
  /// sent stays on the disk. A client that shuts down calls it.
  public func flush() async {
    let end = clock.now.advanced(by: options.flushTimeout)
    try? await Race.run(until: end, clock, timeUp: CancellationError()) { _ = await self.sendAll() }
  }

  /// Sends what waits, and reports how that went; nil without a client.
  package func sendAll() async -> SendOutcome? {
    await waitUntilWritten()
    return await send()
  }
}

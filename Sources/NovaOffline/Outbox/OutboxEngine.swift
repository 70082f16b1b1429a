import NovaCore

/// Sends the entries: the loop in the background, and each burst of it.
actor OutboxEngine {
  /// What the outbox needs from outside.
  struct Environment: Sendable {
    var directory: String
    var clock: any CallClock
    var connectivity: Connectivity
    /// The rule of an RPC, by its id.
    var rule: @Sendable (String) -> WriteRule?
    /// A new idempotency key.
    var makeKey: @Sendable () -> String
    /// 0..<1, for the jitter of waits.
    var random: @Sendable () -> Double
    /// Called at each step.
    var step: @Sendable (OutboxStep) -> Void
  }

  nonisolated let environment: Environment
  nonisolated let store: OutboxStore
  nonisolated let states = LatestValue(OutboxState())
  nonisolated let signal = WakeSignal()
  /// The writes that are sent past the outbox: entries about the same wait for them.
  nonisolated let turns = WriteTurns()
  private nonisolated let hostReference = Locked(HostReference())
  /// The loop and what watches the connection; empty before the start.
  private nonisolated let tasks = Locked<[Task<Void, Never>]>([])

  /// Whose entries are sent and counted.
  var account: String?
  /// The version of the entries that the host knows.
  var shownVersion = 0
  /// When waits may be ended again because the gateway answers.
  private var nextEndOfWaits: ContinuousClock.Instant?
  var schedule = RetrySchedule()
  /// Accounts whose session the gateway did not accept.
  var refusedAccounts: Set<String> = []
  /// When the gateway wants to hear from an account again.
  var restingUntil: [String: ContinuousClock.Instant] = [:]
  /// The burst that is running, or has run last: one at a time.
  private var burst: Task<Burst, Never>?

  private struct HostReference { weak var host: (any OutboxHost)? }

  init(_ environment: Environment) {
    self.environment = environment
    store = OutboxStore(directory: environment.directory, clock: environment.clock, rule: environment.rule)
  }

  nonisolated var host: (any OutboxHost)? { hostReference.withLock { $0.host } }
  nonisolated var queue: OutboxQueue { store.image.withLock { $0.queue } }
  nonisolated func attach(_ host: any OutboxHost) { hostReference.withLock { $0.host = host } }

  // MARK: The loop

  nonisolated func start() {
    tasks.withLock { tasks in
      guard tasks.isEmpty else { return }
      let changes = environment.connectivity.quietChanges
      tasks = [
        Task { await self.run() },
        Task { await self.follow(changes) },
      ]
    }
  }

  /// Ends the loop. What is under way is cancelled, and not waited for.
  nonisolated func cancel() {
    for task in tasks.withLock({ $0 }) { task.cancel() }
    environment.connectivity.setWaiting(false)
  }

  /// Ends the loop and the attempt that is under way, and closes the file.
  func stop() async {
    cancel()
    burst?.cancel()
    _ = await burst?.value
    let ended = tasks.withLock { tasks in
      defer { tasks = [] }
      return tasks
    }
    for task in ended { await task.value }
    await store.close()
  }

  private func run() async {
    while !Task.isCancelled {
      let end = await runBurst(isForced: false).end
      if Task.isCancelled { break }
      environment.connectivity.setWaiting(end == .paused(.offline))
      await signal.wait(until: deadline(after: end), environment.clock)
    }
  }

  /// When the next burst begins if nothing wakes the loop.
  private func deadline(after end: Burst.End) -> ContinuousClock.Instant? {
    let now = environment.clock.now
    switch end {
    case .empty, .paused(.signedOut), .paused(.offline): return nil
    case .paused(.anotherProcess): return now.advanced(by: .seconds(1))
    case .due(let instant): return instant
    case .paused(.rateLimited): return account.flatMap { restingUntil[$0] } ?? now.advanced(by: .seconds(30))
    case .failed: return now.advanced(by: .seconds(30))
    }
  }

  /// - Parameter changes: whether the gateway can be reached, now and then after each change.
  private func follow(_ changes: AsyncStream<Bool>) async {
    var isFirst = true
    for await isOnline in changes {
      // That it can be reached at the start is no change, and ends no wait.
      if isOnline { isFirst ? signal.wake() : cameOnline() }
      isFirst = false
    }
  }

  private func cameOnline() {
    schedule.dueNow(queue.entries.filter(\.isWithoutAnswer), environment.clock)
    signal.wake()
  }

  /// The gateway has answered a call, and accepts the session of an account.
  func accept(_ account: String) {
    let wasRefused = refusedAccounts.remove(account) != nil
    if endWaits(of: account) || wasRefused || account != self.account || states.value.pause == .signedOut {
      signal.wake()
    }
  }

  /// What failed without an answer need not wait for its time, now that the gateway answers.
  ///
  /// - Returns: whether there is such an entry.
  private func endWaits(of account: String) -> Bool {
    let clock = environment.clock
    // Not more often than attempts are apart at the least.
    if let nextEndOfWaits, clock.now < nextEndOfWaits { return false }
    nextEndOfWaits = clock.now.advanced(by: RetrySchedule.shortestWait)
    let latest = clock.unixTime - RetrySchedule.shortestWait / .seconds(1)
    let entries = queue.undelivered(account).filter { entry in
      entry.isWithoutAnswer && entry.lastAttemptAt.map { $0 <= latest } ?? false
    }
    schedule.dueNow(entries, clock)
    return !entries.isEmpty
  }

  // MARK: Bursts

  /// What a burst has done.
  struct Burst: Sendable {
    enum End: Sendable, Equatable {
      /// Nothing is left to send.
      case empty
      /// What is left waits until then.
      case due(ContinuousClock.Instant)
      case paused(OutboxState.Pause)
      /// The files cannot be used, or it cannot be found out who is signed in.
      case failed
    }

    /// Whether waits and pauses are ignored, and each entry is tried once.
    let isForced: Bool
    var end = End.empty
    var sent = 0
    var refused = 0
    var tried: Set<Int64> = []

    var pause: OutboxState.Pause? { if case .paused(let pause) = end { pause } else { nil } }
  }

  /// Sends what is due, after the burst that is running.
  func runBurst(isForced: Bool) async -> Burst {
    let before = burst
    let task = Task {
      _ = await before?.value
      return await self.send(isForced: isForced)
    }
    burst = task
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  private func send(isForced: Bool) async -> Burst {
    var burst = Burst(isForced: isForced)
    burst.end = await sendAll(&burst)
    let pause = burst.pause
    publish { state in
      state.isSending = false
      state.pause = pause
    }
    return burst
  }

  private func sendAll(_ burst: inout Burst) async -> Burst.End {
    do { try await refresh() } catch { return .failed }
    if !queue.counts.values.contains(where: { $0.waiting > 0 }) { return .empty }
    // Before the lock is taken: whoever has nothing to send need not take turns.
    if case .end(let end) = await next(burst) { return end }
    let lease: FileLock?
    do { lease = try FileLock(taking: "\(environment.directory)/outbox.lock") } catch {
      store.note(problem: "\(error)")
      return .failed
    }
    guard let lease else { return .paused(.anotherProcess) }
    defer { lease.unlock() }
    publish { $0.isSending = true }
    while !Task.isCancelled {
      do { try await refresh() } catch { return .failed }
      switch await next(burst) {
      case .end(let end): return end
      case .entry(let entry):
        burst.tried.insert(entry.id)
        if let end = await deliver(entry, &burst) { return end }
      }
    }
    return .empty
  }

  private enum Next { case entry(OutboxEntry), end(Burst.End) }

  /// The entry to send now, or why there is none.
  private func next(_ burst: Burst) async -> Next {
    do { adopt(try await host?.account()) } catch APIError.unauthorized { adopt(nil) } catch {
      return .end(.failed)
    }
    guard let account else { return .end(.paused(.signedOut)) }
    let queue = queue
    let isFree = { [turns] (entry: OutboxEntry) in !turns.isSending(about: entry.entities, account: account) }
    if burst.isForced {
      if burst.tried.isEmpty { (refusedAccounts, restingUntil) = ([], [:]) }
      let entry = queue.firstReady(account) { !burst.tried.contains($0.id) && isFree($0) }
      return entry.map { .entry($0) } ?? .end(.empty)
    }
    if queue.firstReady(account, where: isFree) == nil { return .end(.empty) }
    let clock = environment.clock
    if refusedAccounts.contains(account) { return .end(.paused(.signedOut)) }
    if !environment.connectivity.isOnline { return .end(.paused(.offline)) }
    if let rest = restingUntil[account], rest > clock.now { return .end(.paused(.rateLimited)) }
    var earliest: ContinuousClock.Instant?
    let entry = queue.firstReady(account) { entry in
      guard isFree(entry) else { return false }
      let due = schedule.due(entry, clock)
      earliest = min(earliest ?? due, due)
      return due <= clock.now
    }
    return entry.map { .entry($0) } ?? .end(earliest.map { .due($0) } ?? .empty)
  }
}

extension OutboxEntry {
  /// Whether the last attempt failed because the gateway, or the way to it, was not available.
  fileprivate var isWithoutAnswer: Bool {
    failure.map { [.networkError, .timeout, .unavailable].contains($0.code) } ?? false
  }
}

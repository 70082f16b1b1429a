import NovaCore

/// Sends the entries of a directory in bursts: those of each identity in order, and with the token of a caller who has it.
actor OutboxEngine {
  /// What the outbox needs from outside.
  struct Environment: Sendable {
    var directory: String
    var clock: any CallClock
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
  /// Counts the changes that observers see.
  nonisolated let ticks = LatestValue(0)
  nonisolated let statuses = Locked<[Identity: OutboxStatus]>([:])
  /// Wakes the watching task when an observer is added.
  nonisolated let observed = WakeSignal()
  /// The writes that are sent past the outbox: entries about the same wait for them.
  nonisolated let turns = WriteTurns()
  private nonisolated let hostReference = Locked(HostReference())
  private nonisolated let loops = Locked<[OutboxLoop]>([])

  /// The version of the entries that the host knows.
  var shownVersion = 0
  var schedule = RetrySchedule()
  /// The burst of each identity that is running or has been asked for last: one at a time.
  private var bursts: [Identity: (number: Int, task: Task<Burst, Never>)] = [:]
  private var burstCount = 0
  /// What keeps other processes from sending, and how many bursts need it.
  private var lease: (lock: FileLock, bursts: Int)?

  private struct HostReference { weak var host: (any OutboxHost)? }

  init(_ environment: Environment) {
    self.environment = environment
    store = OutboxStore(directory: environment.directory, clock: environment.clock, rule: environment.rule)
  }

  deinit { ticks.finish() }

  nonisolated var host: (any OutboxHost)? { hostReference.withLock { $0.host } }
  nonisolated var queue: OutboxQueue { store.image.withLock { $0.queue } }
  nonisolated func attach(_ host: any OutboxHost) { hostReference.withLock { $0.host = host } }

  // MARK: The loops

  /// Sends for a caller in the background from now on.
  nonisolated func start(_ caller: any OutboxCaller) -> OutboxLoop {
    let loop = OutboxLoop(self, caller)
    loops.withLock { $0.append(loop) }
    loop.start()
    return loop
  }

  /// Lets the loops look at the entries of an identity; nil for all.
  nonisolated func wake(_ identity: Identity? = nil) {
    for loop in loops.withLock({ $0 }) { loop.wake(identity) }
  }

  /// Ends a loop. What is under way is cancelled, and not waited for.
  nonisolated func cancel(_ loop: OutboxLoop) {
    loops.withLock { $0.removeAll { $0 === loop } }
    loop.cancel()
  }

  /// Ends all loops.
  nonisolated func cancel() { for loop in loops.withLock({ $0 }) { cancel(loop) } }

  /// Ends the loops and the attempts that are under way, and closes the file.
  func stop() async {
    let ended = loops.withLock { $0 }
    cancel()
    let tasks = bursts.values.map(\.task)
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.value }
    for loop in ended { await loop.rest() }
    await store.close()
  }

  /// Ends everything for good: what comes later fails, and opens no file.
  func end() async {
    turns.end()
    await stop()
    await store.end()
    ticks.finish()
  }

  /// When the next burst begins if nothing wakes its loop.
  func deadline(after burst: Burst) -> ContinuousClock.Instant? {
    let now = environment.clock.now
    switch burst.end {
    case .empty, .paused(.signedOut), .paused(.offline): return nil
    case .paused(.anotherProcess): return now.advanced(by: .seconds(1))
    case .due(let instant): return instant
    case .paused(.rateLimited):
      return burst.identity.flatMap { status(of: $0).restingUntil } ?? now.advanced(by: .seconds(30))
    case .failed: return now.advanced(by: .seconds(30))
    }
  }

  // MARK: What calls show

  /// The gateway can be reached again by the caller of an identity.
  func cameOnline(_ identity: Identity) {
    schedule.dueNow(queue.undelivered(identity).filter(\.isWithoutAnswer), environment.clock)
  }

  /// The gateway has answered a call of a caller's, and accepts its token: sends what waited for that.
  nonisolated func accept(_ identity: Identity, from caller: any OutboxCaller) async {
    guard let counts = queue.counts[identity], counts.waiting > 0 else { return }
    let isNews = await endWaits(of: identity)
    if !caller.hasLoop { return await sendSoon(caller, identity, unlessSending: true) }
    if isNews { wake(identity) }
  }

  /// Sends the entries of an identity soon, with the token of a caller who has it.
  func sendSoon(_ caller: any OutboxCaller, _ identity: Identity, unlessSending: Bool = false) {
    if caller.hasLoop { return wake(identity) }
    if unlessSending, bursts[identity] != nil { return }
    // Detached: not a part of the call, whose trace and time end before.
    Task.detached { _ = await self.runBurst(of: caller, isForced: false) }
  }

  /// What failed without an answer need not wait for its time, now that the gateway answers.
  ///
  /// - Returns: whether something can be sent that could not be before.
  private func endWaits(of identity: Identity) -> Bool {
    let clock = environment.clock
    let status = status(of: identity)
    let isNews = status.isRefused || status.pause != nil && status.pause != .rateLimited || !isFollowed(identity)
    // Not more often than attempts are apart at the least.
    if let next = status.nextEndOfWaits, clock.now < next, !status.isRefused { return isNews }
    statuses.withLock { statuses in
      statuses[identity, default: OutboxStatus()].isRefused = false
      statuses[identity, default: OutboxStatus()].nextEndOfWaits = clock.now.advanced(by: RetrySchedule.shortestWait)
    }
    let latest = clock.unixTime - RetrySchedule.shortestWait / .seconds(1)
    let entries = queue.undelivered(identity).filter { entry in
      entry.isWithoutAnswer && entry.lastAttemptAt.map { $0 <= latest } ?? false
    }
    schedule.dueNow(entries, clock)
    return isNews || !entries.isEmpty
  }

  /// Whether the last burst of a loop was that of an identity.
  private func isFollowed(_ identity: Identity) -> Bool { loops.withLock { $0 }.contains { $0.isAt(identity) } }

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
    /// Whose entries are sent; nil if that could not be found out.
    var identity: Identity?
    var end = End.empty
    var sent = 0
    var refused = 0
    /// Why the last one failed that failed, whatever succeeded after it.
    var failure: OutboxFailure?
    var tried: Set<Int64> = []

    var pause: OutboxState.Pause? { if case .paused(let pause) = end { pause } else { nil } }
  }

  /// Sends what is due of a caller's, after the burst that is running.
  ///
  /// - Parameter loop: the loop that asks.
  func runBurst(of caller: any OutboxCaller, isForced: Bool, for loop: OutboxLoop? = nil) async -> Burst {
    let identity: Identity
    do { identity = try await caller.identity() } catch {
      let reason = (error as? APIError).map { OutboxFailure($0) }
      return Burst(
        isForced: isForced, end: .failed,
        failure: reason ?? OutboxFailure(.failedPrecondition, "it is not known who is signed in"))
    }
    // Who has signed in again has another token.
    if loop?.note(identity) == true { statuses.withLock { $0[identity]?.isRefused = false } }
    burstCount += 1
    let (number, before) = (burstCount, bursts[identity]?.task)
    let task = Task {
      _ = await before?.value
      return await self.send(identity, caller, isForced: isForced)
    }
    bursts[identity] = (number, task)
    defer { if bursts[identity]?.number == number { bursts[identity] = nil } }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  private func send(_ identity: Identity, _ caller: any OutboxCaller, isForced: Bool) async -> Burst {
    var burst = Burst(isForced: isForced, identity: identity)
    burst.end = await sendAll(of: identity, by: caller, &burst)
    if burst.end == .failed, burst.failure == nil {
      let problem = store.image.withLock { $0.problem }
      burst.failure = OutboxFailure(.failedPrecondition, problem ?? "the outbox cannot be used")
    }
    let pause = burst.pause
    publish(identity) { status in
      status.isSending = false
      status.pause = pause
    }
    return burst
  }

  private func sendAll(
    of identity: Identity, by caller: any OutboxCaller, _ burst: inout Burst
  ) async -> Burst.End {
    do { try await refresh() } catch { return .failed }
    let counts = queue.counts
    if identity.isAnonymous {
      return counts.values.contains { $0.waiting > 0 } ? .paused(.signedOut) : .empty
    }
    if counts[identity]?.waiting ?? 0 == 0 { return .empty }
    // Before the lock is taken: whoever has nothing to send need not take turns.
    if case .end(let end) = next(of: identity, by: caller, burst) { return end }
    do {
      guard try takeLease() else { return .paused(.anotherProcess) }
    } catch {
      store.note(problem: "\(error)")
      return .failed
    }
    defer { returnLease() }
    publish(identity) { $0.isSending = true }
    while !Task.isCancelled {
      do { try await refresh() } catch { return .failed }
      switch next(of: identity, by: caller, burst) {
      case .end(let end): return end
      case .entry(let entry):
        burst.tried.insert(entry.id)
        if let end = await deliver(entry, by: caller, &burst) { return end }
      }
    }
    return .empty
  }

  /// - Returns: whether the entries may be sent; not while another process sends.
  private func takeLease() throws -> Bool {
    if lease == nil { lease = try FileLock(taking: "\(environment.directory)/outbox.lock").map { ($0, 0) } }
    lease?.bursts += 1
    return lease != nil
  }

  private func returnLease() {
    lease?.bursts -= 1
    guard let last = lease, last.bursts == 0 else { return }
    lease = nil
    last.lock.unlock()
  }

  private enum Next { case entry(OutboxEntry), end(Burst.End) }

  /// The entry to send now, or why there is none.
  private func next(of identity: Identity, by caller: any OutboxCaller, _ burst: Burst) -> Next {
    let queue = queue
    let isFree = { [turns] (entry: OutboxEntry) in !turns.isSending(about: entry.entities, identity: identity) }
    if burst.isForced {
      if burst.tried.isEmpty {
        statuses.withLock { statuses in
          statuses[identity]?.isRefused = false
          statuses[identity]?.restingUntil = nil
        }
      }
      let entry = queue.firstReady(identity) { !burst.tried.contains($0.id) && isFree($0) }
      return entry.map { .entry($0) } ?? .end(.empty)
    }
    if queue.firstReady(identity, where: isFree) == nil { return .end(.empty) }
    let clock = environment.clock
    let status = status(of: identity)
    if status.isRefused { return .end(.paused(.signedOut)) }
    if !caller.connectivity.isOnline { return .end(.paused(.offline)) }
    if let rest = status.restingUntil, rest > clock.now { return .end(.paused(.rateLimited)) }
    var earliest: ContinuousClock.Instant?
    let entry = queue.firstReady(identity) { entry in
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

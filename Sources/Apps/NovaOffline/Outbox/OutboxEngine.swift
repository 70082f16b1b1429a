import NovaCore
import NovaSQLite

/// The outbox of a directory, for all callers: sends the entries of each identity in order, with the token of a caller
/// who has it.
///
/// A *burst* is one run over the entries of an identity that are due. An ``OutboxLoop`` runs bursts in the background,
/// ``Outbox/flush()`` runs one at once. Each identity has one burst at a time, and one process at a time has a lease, the
/// lock of `outbox.lock`. A burst picks the next entry that waits for no other (``OutboxQueue``) and is due
/// (``RetrySchedule``), tries it (``Delivery``), and continues until nothing is left or a pause begins.
actor OutboxEngine {
  nonisolated let environment: OutboxEnvironment
  nonisolated let store: OutboxStore
  nonisolated let statuses: OutboxStatuses
  /// The writes that are sent past the outbox. Entries about the same wait for them.
  nonisolated let turns = WriteTurns()
  private nonisolated let hostReference = Locked(HostReference())
  private nonisolated let loops = Locked<[OutboxLoop]>([])

  /// The version of the entries that the host was told about.
  private var shownVersion = 0
  private var schedule = RetrySchedule()
  /// The last burst of each identity that was requested and has not ended. It waits for those before it.
  private var bursts: [Identity: (number: Int, task: Task<OutboxBurst, Never>)] = [:]
  private var burstCount = 0
  /// The lock that keeps other processes from sending, and how many bursts need it.
  private var lease: (lock: FileLock, bursts: Int)?

  private struct HostReference { weak var host: (any OutboxHost)? }

  init(_ environment: OutboxEnvironment) {
    self.environment = environment
    store = OutboxStore(directory: environment.directory, clock: environment.clock, rule: environment.rule)
    statuses = OutboxStatuses(store)
  }

  deinit { statuses.finish() }

  /// Reports changes to a host, which is kept weakly.
  nonisolated func attach(_ host: any OutboxHost) { hostReference.withLock { $0.host = host } }

  // MARK: The loops

  /// Sends for a caller in the background from now on.
  nonisolated func start(_ caller: any OutboxCaller) -> OutboxLoop {
    let loop = OutboxLoop(self, caller)
    loops.withLock { $0.append(loop) }
    loop.start()
    return loop
  }

  /// Makes the loops look at the entries of an identity; nil for those of all.
  nonisolated func wake(_ identity: Identity? = nil) {
    for loop in loops.withLock({ $0 }) { loop.wake(identity) }
  }

  /// Ends a loop. Does not wait for what is in progress.
  nonisolated func cancel(_ loop: OutboxLoop) {
    loops.withLock { $0.removeAll { $0 === loop } }
    loop.cancel()
  }

  /// Ends all loops.
  nonisolated func cancel() { for loop in loops.withLock({ $0 }) { cancel(loop) } }

  /// Ends the loops and the attempts in progress, and closes the file.
  func stop() async {
    let ended = loops.withLock { $0 }
    cancel()
    let tasks = bursts.values.map(\.task)
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.value }
    for loop in ended { await loop.rest() }
    await store.close()
  }

  /// Ends everything permanently: later uses fail, and open no file.
  func end() async {
    turns.end()
    await stop()
    await store.end()
    statuses.finish()
  }

  // MARK: Changes of the entries

  /// Reads what other processes have written.
  ///
  /// - Throws: `APIError` if the file cannot be used.
  func refresh() async throws {
    try await store.use { try $0.refresh() }
    if store.version != shownVersion { changed(nil) }
  }

  /// Reads what other processes have written, and sends what they have queued.
  ///
  /// - Parameter age: nothing is read if the file was used within this time.
  nonisolated func notice(after age: Duration = .zero) async {
    if store.wasUsed(within: age) { return }
    let version = store.version
    try? await refresh()
    if version != store.version { wake() }
  }

  /// Reports that the entries of an identity have changed, and sends what can be sent.
  func changed(_ identity: Identity, by caller: any OutboxCaller) {
    changed(identity)
    sendSoon(caller, identity)
  }

  /// Reports that the entries of an identity have changed; nil for those of any identity.
  private func changed(_ identity: Identity?) {
    shownVersion = store.version
    statuses.publishEntries(of: identity)
    hostReference.withLock { $0.host }?.changed(identity)
  }

  // MARK: What calls show

  /// The gateway can be reached again by the caller of an identity.
  func cameOnline(_ identity: Identity) {
    schedule.dueNow(store.queue.undelivered(identity).filter(\.isWithoutAnswer), environment.clock)
  }

  /// The gateway has answered a call, and accepts the caller's token: sends what waited for that. Cheap without entries.
  nonisolated func accept(_ identity: Identity, from caller: any OutboxCaller) async {
    guard let counts = store.queue.counts[identity], counts.waiting > 0 else { return }
    let isNews = await endWaits(of: identity)
    if !caller.hasLoop { return await sendSoon(caller, identity, unlessSending: true) }
    if isNews { wake(identity) }
  }

  /// Sends the entries of an identity soon, with the token of a caller who has it.
  private func sendSoon(_ caller: any OutboxCaller, _ identity: Identity, unlessSending: Bool = false) {
    if caller.hasLoop { return wake(identity) }
    if unlessSending, bursts[identity] != nil { return }
    // Detached from the call, whose trace and time end earlier.
    Task.detached { _ = await self.runBurst(of: caller, isForced: false) }
  }

  /// Ends the waits of entries that failed without an answer, because the gateway answers again.
  ///
  /// - Returns: whether something can be sent that could not be sent before.
  private func endWaits(of identity: Identity) -> Bool {
    let clock = environment.clock
    let status = statuses[identity]
    let isFollowed = loops.withLock { $0 }.contains { $0.isAt(identity) }
    let isNews = status.isRefused || status.pause != nil && status.pause != .rateLimited || !isFollowed
    // At most once in the shortest wait between attempts.
    if let next = status.nextEndOfWaits, clock.now < next, !status.isRefused { return isNews }
    statuses.update(identity) { status in
      status.isRefused = false
      status.nextEndOfWaits = clock.now.advanced(by: RetrySchedule.shortestWait)
    }
    let latest = clock.unixTime - RetrySchedule.shortestWait / .seconds(1)
    let entries = store.queue.undelivered(identity).filter { entry in
      entry.isWithoutAnswer && entry.lastAttemptAt.map { $0 <= latest } ?? false
    }
    schedule.dueNow(entries, clock)
    return isNews || !entries.isEmpty
  }

  // MARK: Bursts

  /// Sends the caller's entries that are due, after the bursts of the same identity.
  ///
  /// - Parameter loop: the loop that asks.
  func runBurst(of caller: any OutboxCaller, isForced: Bool, for loop: OutboxLoop? = nil) async -> OutboxBurst {
    let identity: Identity
    do { identity = try await caller.identity() } catch {
      let reason = (error as? APIError).map { OutboxFailure($0) }
      return OutboxBurst(
        isForced: isForced, end: .failed,
        failure: reason ?? OutboxFailure(.failedPrecondition, "it is not known who is signed in"))
    }
    // A user who has signed in again has another token.
    if loop?.note(identity) == true { statuses.update(identity) { $0.isRefused = false } }
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

  /// When the next burst begins if nothing wakes its loop.
  func deadline(after burst: OutboxBurst) -> ContinuousClock.Instant? {
    let now = environment.clock.now
    switch burst.end {
    case .empty, .paused(.signedOut), .paused(.offline): return nil
    case .paused(.anotherProcess): return now.advanced(by: .seconds(1))
    case .due(let instant): return instant
    case .paused(.rateLimited):
      return burst.identity.flatMap { statuses[$0].restingUntil } ?? now.advanced(by: .seconds(30))
    case .failed: return now.advanced(by: .seconds(30))
    }
  }

  private func send(_ identity: Identity, _ caller: any OutboxCaller, isForced: Bool) async -> OutboxBurst {
    var burst = OutboxBurst(isForced: isForced, identity: identity)
    burst.end = await sendAll(of: identity, by: caller, &burst)
    if burst.end == .failed, burst.failure == nil {
      burst.failure = OutboxFailure(.failedPrecondition, store.image.problem ?? "the outbox cannot be used")
    }
    let pause = burst.pause
    statuses.publish(identity) { status in
      status.isSending = false
      status.pause = pause
    }
    return burst
  }

  private func sendAll(
    of identity: Identity, by caller: any OutboxCaller, _ burst: inout OutboxBurst
  ) async -> OutboxBurst.End {
    do { try await refresh() } catch { return .failed }
    let counts = store.queue.counts
    if identity.isAnonymous {
      return counts.values.contains { $0.waiting > 0 } ? .paused(.signedOut) : .empty
    }
    if counts[identity]?.waiting ?? 0 == 0 { return .empty }
    // Before the lock is taken: a caller with nothing to send need not wait for it.
    if case .end(let end) = next(of: identity, by: caller, burst) { return end }
    do {
      guard try takeLease() else { return .paused(.anotherProcess) }
    } catch {
      store.note(problem: "\(error)")
      return .failed
    }
    defer { returnLease() }
    statuses.publish(identity) { $0.isSending = true }
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

  /// - Returns: whether the entries may be sent; false while another process sends.
  private func takeLease() throws -> Bool {
    if lease == nil {
      let path = "\(environment.directory)/outbox.lock"
      do { lease = try FileLock(acquiring: path).map { ($0, 0) } } catch { throw SQLiteError(error, path: path) }
    }
    lease?.bursts += 1
    return lease != nil
  }

  private func returnLease() {
    lease?.bursts -= 1
    guard let last = lease, last.bursts == 0 else { return }
    lease = nil
    last.lock.unlock()
  }

  private enum Next { case entry(OutboxEntry), end(OutboxBurst.End) }

  /// The entry to send now, or why there is none.
  private func next(of identity: Identity, by caller: any OutboxCaller, _ burst: OutboxBurst) -> Next {
    let queue = store.queue
    let isFree = { [turns] (entry: OutboxEntry) in !turns.isSending(about: entry.entities, identity: identity) }
    if burst.isForced {
      if burst.tried.isEmpty {
        statuses.update(identity) { status in
          status.isRefused = false
          status.restingUntil = nil
        }
      }
      let entry = queue.firstReady(identity) { !burst.tried.contains($0.id) && isFree($0) }
      return entry.map { .entry($0) } ?? .end(.empty)
    }
    if queue.firstReady(identity, where: isFree) == nil { return .end(.empty) }
    let clock = environment.clock
    let status = statuses[identity]
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

  /// Tries an entry.
  ///
  /// - Returns: why the burst ends; nil if it continues.
  private func deliver(
    _ entry: OutboxEntry, by caller: any OutboxCaller, _ burst: inout OutboxBurst
  ) async -> OutboxBurst.End? {
    let identity = entry.identity
    var delivery = Delivery(entry: entry, caller: caller, store: store, environment: environment) { [hostReference] in
      hostReference.withLock { $0.host }
    }
    let result: Delivery.Result
    do { result = try await delivery.run() } catch {
      statuses.publish(identity)
      return .failed
    }
    switch result {
    case .delivered:
      burst.sent += 1
      statuses.publish(identity) { $0.lastFailure = nil }
      changed(identity)
      return nil
    case .dead(let failure):
      burst.refused += 1
      burst.failure = failure
      statuses.publish(identity) { $0.lastFailure = failure }
      changed(identity)
      return nil
    case .signedOut(let failure):
      burst.failure = failure
      statuses.publish(identity) { status in
        status.lastFailure = failure
        status.isRefused = true
      }
      return .paused(.signedOut)
    case .later(let failure, let due, let isForAll):
      burst.failure = failure
      schedule.set(due, for: entry)
      statuses.publish(identity) { status in
        status.lastFailure = failure
        if isForAll { status.restingUntil = due.instant }
      }
      if isForAll { return .paused(.rateLimited) }
      return caller.connectivity.isOnline ? nil : .paused(.offline)
    case .gone: return nil
    case .cancelled: return .empty
    }
  }
}

extension OutboxEntry {
  /// Whether the last attempt failed because the gateway, or the way to it, was not available.
  fileprivate var isWithoutAnswer: Bool {
    failure.map { [.networkError, .timeout, .unavailable].contains($0.code) } ?? false
  }
}

/// What one run over an identity's entries has done.
struct OutboxBurst: Sendable {
  /// Why a burst ended.
  enum End: Sendable, Equatable {
    /// Nothing is left to send.
    case empty
    /// The rest waits until then.
    case due(ContinuousClock.Instant)
    case paused(OutboxState.Pause)
    /// The files cannot be used, or the caller's identity cannot be found out.
    case failed
  }

  /// Whether waits and pauses are ignored, and each entry is tried once.
  let isForced: Bool
  /// Whose entries are sent; nil if that could not be found out.
  var identity: Identity?
  var end = End.empty
  var sent = 0
  var refused = 0
  /// The last failure, whatever succeeded after it.
  var failure: OutboxFailure?
  var tried: Set<Int64> = []

  var pause: OutboxState.Pause? { if case .paused(let pause) = end { pause } else { nil } }
}

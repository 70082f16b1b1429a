package import NovaCore

/// The writes that wait for the gateway, and those that it has refused.
///
/// Each write is on the disk before its call returns, with the key by which the gateway recognizes it, and takes effect
/// once. Writes about the same are sent in order; others do not wait for them. Only the writes of whoever is signed in
/// are sent and shown; see ``otherEntries`` for the rest.
///
/// ```swift
/// for await state in store.outbox.states {
///   badge.text = state.waiting == 0 ? "" : "\(state.waiting) waiting"
/// }
/// for entry in try await store.outbox.deadLetters {
///   print(entry, entry.failure?.message ?? "")
///   try await store.outbox.discard(entry.id)
/// }
/// ```
public final class Outbox: Sendable {
  let engine: OutboxEngine
  /// Wakes the watching task when an observer is added.
  let observed = WakeSignal()
  var isObserved: Bool { engine.states.isObserved }
  var turns: WriteTurns { engine.turns }
  var store: OutboxStore { engine.store }
  var environment: OutboxEngine.Environment { engine.environment }

  /// Creates the outbox of a directory. Nothing is opened before the first use.
  ///
  /// - Parameters:
  ///   - directory: an existing directory, for `outbox.db` and `outbox.lock`.
  ///   - connectivity: what is known about the connection; it learns from what the outbox sends.
  ///   - clock: measures and waits.
  ///   - rule: the rule of an RPC, by its id.
  ///   - makeKey: a new idempotency key.
  ///   - random: 0..<1, for the jitter of waits.
  ///   - step: called at each step; for tests.
  package init(
    directory: String, connectivity: Connectivity, clock: any CallClock = ContinuousClock(),
    rule: @escaping @Sendable (String) -> WriteRule?,
    makeKey: @escaping @Sendable () -> String = { RequestID.random() },
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    step: @escaping @Sendable (OutboxStep) -> Void = { _ in }
  ) {
    engine = OutboxEngine(
      OutboxEngine.Environment(
        directory: directory, clock: clock, connectivity: connectivity, rule: rule, makeKey: makeKey, random: random,
        step: step))
  }

  deinit {
    engine.cancel()
    engine.states.finish()
  }

  // MARK: Delivery

  /// Connects the outbox with its store, which it keeps weakly. Before anything else.
  package func attach(_ host: any OutboxHost) { engine.attach(host) }

  /// Sends in the background from now on, until ``stop()``. Calling it again has no effect.
  package func start() { engine.start() }

  /// Ends sending: cancels the attempt that is under way, and closes the file. The writes stay.
  package func stop() async { await engine.stop() }

  /// Ends everything for good: what comes later fails, and opens no file.
  package func end() async {
    turns.end()
    await engine.stop()
    await store.end()
    engine.states.finish()
  }

  /// Reads the file, so that ``waiting(for:)`` is complete. A file that cannot be read shows in
  /// ``OutboxState/problem``.
  package func load() async {
    try? await engine.refresh()
    await engine.adopt(try? await engine.host?.account())
  }

  /// The gateway has accepted the session of this account: continues after it was refused. Cheap; call it after every
  /// successful call that carried a token.
  package func accept(_ account: String) async { await engine.accept(account) }

  /// Tries all waiting writes now, also those that wait for a later time or for another session, and returns when each
  /// was tried once or nothing more can be sent.
  ///
  /// While another process sends the writes of the same directory, it waits for that process; cancel the task to stop
  /// waiting.
  @discardableResult public func flush() async -> OutboxSummary {
    var summary = OutboxSummary()
    while true {
      let burst = await engine.runBurst(isForced: true)
      summary.sent += burst.sent
      summary.refused += burst.refused
      summary.pause = burst.pause
      guard burst.end == .paused(.anotherProcess), !Task.isCancelled else { break }
      let clock = environment.clock
      try? await clock.sleep(until: clock.now.advanced(by: .seconds(1)), tolerance: nil)
    }
    let state = engine.states.value
    (summary.waiting, summary.dead) = (state.waiting + state.blocked, state.dead)
    summary.lastFailure = state.lastFailure
    return summary
  }

  /// The state, and then each change of it. A slow observer misses states, but never the latest.
  public var states: AsyncStream<OutboxState> {
    defer { observed.wake() }
    return engine.states.stream()
  }

  /// The latest state.
  public var state: OutboxState { engine.states.value }

  // MARK: Writes

  /// Puts a write behind the others. Returns when it is on the disk.
  ///
  /// - Parameters:
  ///   - account: whose write it is.
  ///   - key: its idempotency key.
  ///   - newID: the temporary id of what it creates, which no other write has.
  ///   - attempted: whether the gateway may have seen the write under this key already.
  ///   - wouldChange: whether a relation that it sets was different before, without the waiting writes; nil if unknown.
  /// - Throws: `APIError`: `invalidArgument`; `failedPrecondition` if the write cannot wait, or if the file cannot be
  ///   written. Nothing is queued then.
  package func enqueue(
    account: String, rule: WriteRule, request: any ProtoMessage, key: String, newID: String? = nil,
    attempted: Bool = false, wouldChange: Bool? = nil
  ) async throws -> EnqueuedWrite {
    guard rule.canWait else {
      throw APIError(
        .failedPrecondition, "this call cannot wait in the outbox; send it with delivery immediate", rpc: rule.rpc.id)
    }
    try check(request, rule.rpc)
    let new = OutboxDatabase.NewEntry(
      account: account, rule: rule, request: request, key: key, newID: newID, wouldChange: wouldChange,
      mayHaveLeft: attempted)
    let (now, step) = (environment.clock.unixTime, environment.step)
    step(.enqueueing)
    let write: EnqueuedWrite = try await store.use { database in
      let (entry, isJoined) = try database.enqueue(new, now: now) { step(.enqueued) }
      guard let entry else { return .cancelledOut }
      return isJoined ? .joined(entry) : .waiting(entry)
    }
    step(.kept)
    await engine.adoptFirst(account)
    await changed()
    return write
  }

  /// Refuses what the gateway would refuse for its form.
  func check(_ request: any ProtoMessage, _ rpc: RPCDescriptor) throws {
    guard type(of: request) == rpc.requestType else {
      throw APIError(
        .invalidArgument, "expected a \(rpc.requestType.descriptor.name), got a \(type(of: request).descriptor.name)",
        rpc: rpc.id)
    }
    try RequestRules.check(request, of: rpc)
  }

  /// The writes of an account that are not delivered and not refused, in order, from memory. Also those that are
  /// blocked.
  package func waiting(for account: String) -> [OutboxEntry] { engine.queue.undelivered(account) }

  /// Whether a write about one of these must wait behind others: an earlier one is about the same, or creates it.
  package func hasWaiting(_ entities: [String], account: String) -> Bool {
    engine.queue.hasWaiting(entities, account: account)
  }

  /// The id that the gateway gave to what had this temporary one; nil if it is not known (yet).
  package func realID(_ temporary: String, account: String) -> String? {
    store.image.withLock { $0.realIDs[account]?[temporary] }
  }

  /// The request with real ids in place of temporary ones, where they are known.
  package func withRealIDs(_ request: any ProtoMessage, account: String) -> any ProtoMessage {
    guard let ids = store.image.withLock({ $0.realIDs[account] }) else { return request }
    return RequestIDs.replacing(ids, in: request) ?? request
  }

  /// Counts the changes of the entries.
  var version: Int { store.image.withLock { $0.version } }

  /// Reads what other processes have written, and sends what they have queued.
  ///
  /// - Parameter age: nothing is read if the file was looked at so shortly before.
  func notice(after age: Duration = .zero) async {
    let last = store.image.withLock { $0.lastUse }
    if let last, last.duration(to: environment.clock.now) < age { return }
    let version = version
    try? await engine.refresh()
    if version != self.version { wake() }
  }

  /// Lets the loop look at the entries.
  func wake() { engine.signal.wake() }

  /// The entries have changed: shows it, and lets the loop look at them.
  func changed() async {
    await engine.changed()
    engine.signal.wake()
  }
}

extension Outbox: AsyncSequence {
  /// The same as ``states``.
  public func makeAsyncIterator() -> AsyncStream<OutboxState>.Iterator { states.makeAsyncIterator() }
}

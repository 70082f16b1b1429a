package import NovaCore

/// The writes that wait for the gateway, and those that it has refused: of the caller whose calls they are.
///
/// Each write is on the disk before its call returns, with the key by which the gateway recognizes it, and takes effect
/// once. Writes about the same are sent in order; others do not wait for them. Only the caller's own writes are sent and
/// shown; see ``otherEntries`` for the rest.
///
/// The writes of the client's own caller are sent in the background. Those of a caller whose token comes with the calls
/// are sent after the next successful call of the same user, and by ``flush()``: the token is not kept.
///
/// ```swift
/// let outbox = try nova.offline.outbox
/// for await state in outbox.states {
///   badge.text = state.waiting == 0 ? "" : "\(state.waiting) waiting"
/// }
/// for entry in try await outbox.deadLetters {
///   print(entry, entry.failure?.message ?? "")
///   try await outbox.discard(entry.id)
/// }
/// ```
public struct Outbox: Sendable {
  let engine: OutboxEngine
  let caller: any OutboxCaller
  var store: OutboxStore { engine.store }
  var environment: OutboxEngine.Environment { engine.environment }

  init(_ engine: OutboxEngine, _ caller: any OutboxCaller) { (self.engine, self.caller) = (engine, caller) }

  /// Creates the outbox of a directory, for one caller. Nothing is opened before the first use.
  ///
  /// - Parameters:
  ///   - directory: an existing directory, for `outbox.db` and `outbox.lock`.
  ///   - caller: who sends.
  ///   - host: what the writes are confirmed to; kept weakly.
  ///   - clock: measures and waits.
  ///   - rule: the rule of an RPC, by its id.
  ///   - makeKey: a new idempotency key.
  ///   - random: 0..<1, for the jitter of waits.
  ///   - step: called at each step; for tests.
  package init(
    directory: String, caller: any OutboxCaller, host: any OutboxHost, clock: any CallClock = ContinuousClock(),
    rule: @escaping @Sendable (String) -> WriteRule? = { OfflineRules.write($0) },
    makeKey: @escaping @Sendable () -> String = { RequestID.random() },
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    step: @escaping @Sendable (OutboxStep) -> Void = { _ in }
  ) {
    self.init(
      OutboxEngine(
        OutboxEngine.Environment(
          directory: directory, clock: clock, rule: rule, makeKey: makeKey, random: random, step: step)), caller)
    engine.attach(host)
  }

  // MARK: Delivery

  /// Sends in the background from now on, until ``stop()``.
  package func start() { _ = engine.start(caller) }

  /// Ends sending for all: cancels the attempts that are under way, and closes the file. The writes stay.
  package func stop() async { await engine.stop() }

  /// Reads the file, so that ``state`` is complete. A file that cannot be read shows in ``OutboxState/problem``.
  package func load() async {
    try? await engine.refresh()
    _ = try? await caller.identity()
  }

  /// The gateway has accepted the token of this identity: continues after it was refused. Cheap; call it after every
  /// successful call that carried a token.
  package func accept(_ identity: Identity) async { await engine.accept(identity, from: caller) }

  /// Tries all waiting writes of the caller now, also those that wait for a later time or for another session, and returns
  /// when each was tried once or nothing more can be sent.
  ///
  /// While another process sends the writes of the same directory, it waits for that process; cancel the task to stop
  /// waiting.
  @discardableResult public func flush() async -> OutboxSummary { await flushed().summary }

  /// The same as ``flush()``, with what decides whether it was a success.
  package func flushed() async -> OutboxFlushReport {
    var flush = OutboxFlushReport()
    var summary = OutboxSummary()
    // Whose writes are to be sent, even if the session ends during the flush.
    var identity = try? await caller.identity()
    if identity?.isAnonymous == true { identity = nil }
    while true {
      let burst = await engine.runBurst(of: caller, isForced: true)
      summary.sent += burst.sent
      summary.refused += burst.refused
      summary.pause = burst.pause
      flush.failure = burst.failure ?? flush.failure
      identity = identity ?? burst.identity
      guard burst.end == .paused(.anotherProcess), !Task.isCancelled else { break }
      let clock = environment.clock
      try? await clock.sleep(until: clock.now.advanced(by: .seconds(1)), tolerance: nil)
    }
    let state = engine.state(of: identity)
    (summary.waiting, summary.dead) = (state.waiting + state.blocked, state.dead)
    summary.lastFailure = state.lastFailure
    if flush.failure == nil, summary.waiting > 0 { flush.failure = state.lastFailure }
    if flush.failure == nil, !unreadable.isEmpty, let problem = state.problem {
      flush.failure = OutboxFailure(.failedPrecondition, problem)
    }
    (flush.summary, flush.blocked) = (summary, state.blocked)
    return flush
  }

  /// The state of the caller's writes, and then each change of it. A slow observer misses states, but never the latest.
  public var states: AsyncStream<OutboxState> {
    defer { engine.observed.wake() }
    let (engine, caller, ticks) = (engine, caller, engine.ticks.stream())
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        var last: OutboxState?
        for await _ in ticks {
          let state = engine.state(of: try? await caller.identity())
          if state != last { continuation.yield(state) }
          last = state
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// The latest state of the caller's writes.
  public var state: OutboxState { engine.state(of: caller.knownIdentity) }

  // MARK: Writes

  /// Puts a write behind the others. Returns when it is on the disk.
  ///
  /// - Parameters:
  ///   - identity: whose write it is.
  ///   - key: its idempotency key.
  ///   - newID: the temporary id of what it creates, which no other write has.
  ///   - attempted: whether the gateway may have seen the write under this key already.
  ///   - wouldChange: whether a relation that it sets was different before, without the waiting writes; nil if unknown.
  /// - Throws: `APIError`: `invalidArgument`; `failedPrecondition` if the write cannot wait, or if the file cannot be
  ///   written. Nothing is queued then.
  package func enqueue(
    identity: Identity, rule: WriteRule, request: any ProtoMessage, key: String, newID: String? = nil,
    attempted: Bool = false, wouldChange: Bool? = nil
  ) async throws -> EnqueuedWrite {
    guard rule.canWait else {
      throw APIError(
        .failedPrecondition, "this call cannot wait in the outbox; send it with delivery immediate", rpc: rule.rpc.id)
    }
    try check(request, rule.rpc)
    let new = OutboxDatabase.NewEntry(
      identity: identity, rule: rule, request: request, key: key, newID: newID, wouldChange: wouldChange,
      mayHaveLeft: attempted)
    let (now, step) = (environment.clock.unixTime, environment.step)
    step(.enqueueing)
    let write: EnqueuedWrite = try await store.use { database in
      let (entry, isJoined) = try database.enqueue(new, now: now) { step(.enqueued) }
      guard let entry else { return .cancelledOut }
      return isJoined ? .joined(entry) : .waiting(entry)
    }
    step(.kept)
    await changed(identity)
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

  /// The entries of an identity have changed: shows it, and sends what can be sent.
  func changed(_ identity: Identity) async {
    await engine.changed(identity)
    await engine.sendSoon(caller, identity)
  }
}

// What is known from memory.
extension OutboxEngine {
  /// Whether a write about one of these must wait behind others: an earlier one is about the same, or creates it.
  nonisolated func hasWaiting(_ entities: [String], identity: Identity) -> Bool {
    queue.hasWaiting(entities, identity: identity)
  }

  /// The request with real ids in place of temporary ones, where they are known.
  nonisolated func withRealIDs(_ request: any ProtoMessage, identity: Identity) -> any ProtoMessage {
    guard let ids = store.image.withLock({ $0.realIDs[identity] }) else { return request }
    return RequestIDs.replacing(ids, in: request) ?? request
  }

  /// Counts the changes of the entries.
  nonisolated var version: Int { store.image.withLock { $0.version } }

  /// Reads what other processes have written, and sends what they have queued.
  ///
  /// - Parameter age: nothing is read if the file was looked at so shortly before.
  nonisolated func notice(after age: Duration = .zero) async {
    let last = store.image.withLock { $0.lastUse }
    if let last, last.duration(to: environment.clock.now) < age { return }
    let version = version
    try? await refresh()
    if version != self.version { wake() }
  }
}

extension Outbox {
  /// The caller's writes that were queued last and wait, from memory.
  package func latest(_ count: Int) -> [OutboxEntry] {
    caller.knownIdentity.map { engine.queue.undelivered($0).suffix(count) } ?? []
  }

  /// The writes of an identity that are not delivered and not refused, in order, from memory. Also those that are blocked.
  package func waiting(for identity: Identity) -> [OutboxEntry] { engine.queue.undelivered(identity) }

  /// Whether a write about one of these must wait behind others: an earlier one is about the same, or creates it.
  package func hasWaiting(_ entities: [String], identity: Identity) -> Bool {
    engine.hasWaiting(entities, identity: identity)
  }

  /// The id that the gateway gave to what had this temporary one; nil if it is not known (yet).
  package func realID(_ temporary: String, identity: Identity) -> String? {
    store.image.withLock { $0.realIDs[identity]?[temporary] }
  }
}

/// What a flush has done, and why not all of it.
package struct OutboxFlushReport: Sendable {
  package var summary = OutboxSummary()
  /// Why a write was refused or still waits, or why the outbox could not be used: the last such failure of this flush,
  /// whatever succeeded after it; nil if nothing failed.
  package var failure: OutboxFailure?
  /// How many of those that wait are blocked: they wait for another one that was refused.
  package var blocked = 0

  package init() {}
}

extension Outbox: AsyncSequence {
  /// The same as ``states``.
  public func makeAsyncIterator() -> AsyncStream<OutboxState>.Iterator { states.makeAsyncIterator() }
}

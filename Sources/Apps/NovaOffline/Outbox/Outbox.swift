package import NovaCore

/// One caller's view of the outbox: the writes that wait for the gateway, and those that it has refused.
///
/// Each write is on the disk before its call returns, with the key by which the gateway recognizes it, and takes effect
/// once. Writes about the same thing are sent in order; others do not wait for them. Only the caller's own writes are
/// sent and shown; see ``otherEntries`` for the rest.
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

  init(_ engine: OutboxEngine, _ caller: any OutboxCaller) { (self.engine, self.caller) = (engine, caller) }

  // MARK: State

  /// The state of the caller's writes, and then each change of it. A slow observer misses states, but never the latest.
  public var states: AsyncStream<OutboxState> {
    .latest(after: engine.statuses.stream(), by: \.self) { [engine, caller] in
      engine.statuses.state(of: try? await caller.identity())
    }
  }

  /// The latest state of the caller's writes.
  public var state: OutboxState { engine.statuses.state(of: caller.knownIdentity) }

  /// Reads the file, so that ``state`` is complete. If the file cannot be read, ``OutboxState/problem`` has the
  /// reason.
  package func load() async {
    try? await engine.refresh()
    _ = try? await caller.identity()
  }

  /// The caller's latest writes that wait, from memory.
  package func latest(_ count: Int) -> [OutboxEntry] {
    caller.knownIdentity.map { store.queue.undelivered($0).suffix(count) } ?? []
  }

  // MARK: Sending

  /// Tries all waiting writes of the caller now, also those that wait for a later time or for another session, and
  /// returns when each was tried once or nothing more can be sent.
  ///
  /// While another process sends the writes of the same directory, it waits for that process; cancel the task to stop
  /// waiting.
  @discardableResult public func flush() async -> OutboxSummary { await flushed().summary }

  /// The same as ``flush()``, with what decides whether it was a success.
  package func flushed() async -> OutboxFlushReport {
    var flush = OutboxFlushReport()
    var summary = OutboxSummary()
    // Whose writes are sent, even if the session ends during the flush.
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
      let clock = engine.environment.clock
      try? await clock.sleep(until: clock.now.advanced(by: .seconds(1)), tolerance: nil)
    }
    let state = engine.statuses.state(of: identity)
    (summary.waiting, summary.dead) = (state.waiting + state.blocked, state.dead)
    summary.lastFailure = state.lastFailure
    if flush.failure == nil, summary.waiting > 0 { flush.failure = state.lastFailure }
    if flush.failure == nil, !unreadable.isEmpty, let problem = state.problem {
      flush.failure = OutboxFailure(.failedPrecondition, problem)
    }
    (flush.summary, flush.blocked) = (summary, state.blocked)
    return flush
  }

  // MARK: Queueing

  /// Queues a write after the others. Returns when it is on the disk.
  ///
  /// - Throws: `APIError`: `invalidArgument`; `failedPrecondition` if the write cannot wait, or if the file cannot be
  ///   written. Nothing is queued then.
  func enqueue(_ new: OutboxDatabase.NewEntry) async throws -> EnqueuedWrite {
    guard new.rule.canWait else {
      throw APIError(
        .failedPrecondition, "this call cannot wait in the outbox", advice: "send it with delivery immediate",
        rpc: new.rule.rpc.id)
    }
    try Self.check(new.request, of: new.rule.rpc)
    let (now, step) = (engine.environment.clock.unixTime, engine.environment.step)
    step(.enqueueing)
    let write = try await store.use { try $0.enqueue(new, now: now) { step(.enqueued) } }
    step(.kept)
    await engine.changed(new.identity, by: caller)
    return write
  }

  /// Refuses a request that the gateway would refuse for its form.
  package static func check(_ request: any ProtoMessage, of rpc: RPCDescriptor) throws {
    guard type(of: request) == rpc.requestType else {
      throw APIError(
        .invalidArgument, "expected a \(rpc.requestType.descriptor.name), got a \(type(of: request).descriptor.name)",
        rpc: rpc.id)
    }
    try RequestRules.check(request, of: rpc)
  }
}

extension Outbox: AsyncSequence {
  /// The same as ``states``.
  public func makeAsyncIterator() -> AsyncStream<OutboxState>.Iterator { states.makeAsyncIterator() }
}

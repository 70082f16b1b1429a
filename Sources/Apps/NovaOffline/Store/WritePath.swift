import NovaCore

/// Sends writes, or queues them in the outbox, and stores what confirmed writes have changed.
///
/// A write first takes its turn after the writes about the same entities (``WriteTurns``). Then it is sent past the
/// outbox, unless earlier writes about the same wait there, the gateway cannot be reached, or the call asks for
/// something else. If it cannot be sent, it is queued under the same key.
///
/// ``OfflineCaller`` sends entries through ``send(_:identity:by:)``, which begins a write at the cache, and
/// ``confirmed(_:by:isRepeated:)`` ends it. Between the two, a ``SentWrite`` carries what the cache had at the beginning.
final class WritePath: OutboxHost {
  private let cache: OfflineCache
  private let outbox: OutboxEngine
  private let reads: ReadPath
  private let clock: any CallClock
  /// The entries that are stored as facts already, and are deleted next. They are no longer shown on top.
  private let confirmedEntries = Locked<Set<Int64>>([])

  init(cache: OfflineCache, outbox: OutboxEngine, reads: ReadPath, clock: any CallClock) {
    (self.cache, self.outbox, self.reads, self.clock) = (cache, outbox, reads, clock)
    outbox.attach(self)
  }

  /// Sends a write, or queues it.
  func respond(to write: OfflineWrite) async throws -> APIResponse<any ProtoMessage> {
    let call = write.call
    if !write.rule.canWait {
      if call.options.delivery == .enqueue {
        throw APIError(
          .failedPrecondition, "this call cannot wait in the outbox: call it without `enqueue`", rpc: call.rpc.id)
      }
      return try await sendPastOutbox(write)
    }
    let turns = outbox.turns
    let turn = turns.enter(write.entities, identity: call.identity)
    defer { if turns.leave(turn) { outbox.wake(call.identity) } }
    if !turns.isFree(turn) { try await wait(for: turn, call) }
    // Another process may have queued a write about the same.
    await outbox.notice()
    return try await respond(to: write, in: turn)
  }

  /// Waits until the earlier writes about the same have ended or are in the outbox.
  private func wait(for turn: WriteTurns.Turn, _ call: StoredCall) async throws {
    let (turns, options) = (outbox.turns, call.options)
    let end = options.timeout.map { clock.now.advanced(by: $0) }
    let deadline = [end, options.deadline].compactMap(\.self).min()
    do {
      try await Race.run(
        until: deadline, clock,
        timeUp: APIError(
          .timeout, "an earlier write about the same is still being sent", sent: .nothing, rpc: call.rpc.id)
      ) { try await turns.wait(for: turn) }
    } catch is CancellationError {
      if turns.isOver { throw APIError.shutDown(call.rpc.id) }
      throw APIError(.cancelled, "the task was cancelled while an earlier write was being sent", rpc: call.rpc.id)
    }
  }

  /// Sends or queues a write in its turn: no other write about the same is being sent, except those in the outbox.
  private func respond(to write: OfflineWrite, in turn: WriteTurns.Turn) async throws -> APIResponse<any ProtoMessage> {
    let (identity, options, part) = (write.call.identity, write.call.options, write.part)
    // In the outbox, the write has the same key, so that the gateway recognizes an attempt that arrived.
    let key = options.idempotencyKey.flatMap { $0.isEmpty ? nil : $0 } ?? RequestID.random()
    var write = write
    write.call.options.idempotencyKey = key
    // Before the outbox is read: either this write sees an entry that is queued now, or the outbox sees this write.
    outbox.turns.beginSending(turn)
    let mustWait = outbox.store.queue.hasWaiting(write.entities, identity: identity)
    // Entries that waited before this turn may have been delivered since.
    write.call.request = outbox.store.withRealIDs(write.call.request, identity: identity)
    if options.delivery == .immediate {
      if mustWait {
        throw APIError(
          .failedPrecondition,
          "earlier writes about the same wait in the outbox: flush it first, or call it without `immediate`",
          rpc: write.call.rpc.id)
      }
      return try await sendPastOutbox(write)
    }
    var mayHaveLeft = false
    let canWait = !write.call.isOfPassingToken
    if !mustWait, options.delivery != .enqueue, !part.isOfflineMode, part.connectivity.isOnline || !canWait {
      do {
        return try await sendPastOutbox(write)
      } catch let error as APIError where error.meansUnreachable && canWait && !identity.isAnonymous {
        mayHaveLeft = error.mayHaveReachedGateway
      }
    }
    let response = try await enqueue(write, key: key, attempted: mayHaveLeft)
    if outbox.turns.endSending(turn) { outbox.wake(identity) }
    return response
  }

  /// Sends a write past the outbox, and stores what it has changed.
  private func sendPastOutbox(_ write: OfflineWrite) async throws -> APIResponse<any ProtoMessage> {
    let (call, part) = (write.call, write.part)
    defer { reads.noteEndedWrite() }
    let sent = try await send(call.rpc, identity: call.identity) {
      try await part.noting(call.identity) { try await write.send(call) }
    }
    guard let start = sent.start else { return sent.response }
    let confirmed = ConfirmedWrite(
      rule: write.rule, request: call.request, response: sent.response.stated, start: start,
      time: Int64(clock.unixTime))
    await cache.confirm(confirmed, identity: call.identity)
    await outbox.accept(call.identity, from: part.caller(of: call.options))
    await cache.endWrite(identity: call.identity)
    return sent.response
  }

  private func enqueue(
    _ write: OfflineWrite, key: String, attempted: Bool
  ) async throws -> APIResponse<any ProtoMessage> {
    let (rule, call) = (write.rule, write.call)
    try call.checkArguments()
    if call.identity.isAnonymous {
      throw APIError(
        .unauthorized, "not signed in", reason: "only the writes of a user can wait until they are sent",
        rpc: call.rpc.id)
    }
    if call.isOfPassingToken {
      throw APIError(
        .failedPrecondition,
        "the write cannot wait", reason: "the user of the call's token is unknown, so nothing could send it later",
        advice: "name the user with AccessToken(_:user:)", rpc: call.rpc.id)
    }
    let newID = rule.created?.temporaryID
    var wouldChange: Bool?
    if let undoing = rule.undoing, let name = undoing.relation(call.request) {
      wouldChange = await cache.relation(name, identity: call.identity).map { $0 != undoing.isRelated }
    }
    let new = OutboxDatabase.NewEntry(
      identity: call.identity, rule: rule, request: call.request, key: key, newID: newID, wouldChange: wouldChange,
      mayHaveLeft: attempted)
    let entry = try await Outbox(outbox, write.part.caller(of: call.options)).enqueue(new).entry
    await showWaiting(call.identity)
    let answer = await cache.answer(
      of: rule, to: call.request, newID: entry?.newID ?? newID ?? "", identity: call.identity)
    return APIResponse(answer ?? call.rpc.responseType.init(), to: call, from: .outbox)
  }

  // MARK: Sending

  /// Begins a write at the cache, and sends it. Ends it unless the answer confirms it.
  ///
  /// - Returns: the answer, with the start of a confirmed write, which the caller must end.
  func send(
    _ rpc: RPCDescriptor, identity: Identity, by send: () async throws -> APIResponse<any ProtoMessage>
  ) async throws -> SentWrite {
    let start = await cache.beginWrite(identity: identity)
    do {
      let response = try await send()
      if response.failure(of: rpc, OfflineRules.write(rpc.id)) == nil { return SentWrite(response, start: start) }
      await cache.endWrite(identity: identity)
      return SentWrite(response)
    } catch {
      await cache.endWrite(identity: identity)
      throw error
    }
  }

  // MARK: OutboxHost

  func confirmed(_ entry: OutboxEntry, by sent: SentWrite?, isRepeated: Bool) async throws {
    reads.noteEndedWrite()
    if let rule = OfflineRules.write(entry.rpc.id) {
      let latest = await cache.start(identity: entry.identity)
      let write = ConfirmedWrite(
        rule: rule, request: entry.request, response: sent?.response.stated, start: sent?.start ?? latest,
        newID: entry.newID ?? "", time: Int64(clock.unixTime), isRepeated: isRepeated)
      await cache.confirm(write, identity: entry.identity) { [self] in
        confirmedEntries.withLock { _ = $0.insert(entry.id) }
        return unconfirmed(entry.identity)
      }
    } else {
      confirmedEntries.withLock { _ = $0.insert(entry.id) }
    }
    if sent?.start != nil { await cache.endWrite(identity: entry.identity) }
    await showWaiting(entry.identity)
  }

  func changed(_ identity: Identity?) {
    Task { [weak self] in await self?.showWaiting(identity) }
  }

  /// Shows what the waiting writes of an identity change; nil for those of all.
  func showWaiting(_ identity: Identity?) async {
    await cache.show(identity, owners: { [outbox] in Array(outbox.store.queue.counts.keys) }) { [self] in
      unconfirmed($0)
    }
  }

  /// The waiting writes, without those that are stored already and are deleted next.
  private func unconfirmed(_ identity: Identity) -> [OutboxEntry] {
    let queue = outbox.store.queue
    let entries = queue.undelivered(identity)
    let confirmed = confirmedEntries.withLock { confirmed in
      // Forgets the deleted entries of all identities.
      if !confirmed.isEmpty { confirmed = confirmed.filter { queue.entry($0) != nil } }
      return confirmed
    }
    return confirmed.isEmpty ? entries : entries.filter { !confirmed.contains($0.id) }
  }
}

extension OfflineWrite {
  /// What it is about.
  fileprivate var entities: [String] { rule.entities(call.request) }
}

extension StoredCall {
  /// Whether its token comes with it, and the user is unknown: no later call need have the same token.
  fileprivate var isOfPassingToken: Bool { options.haveCredentials && identity.isOfUnnamedToken }
}

extension StoredRecord {
  /// A new id for a record that a waiting write creates: a text that no gateway gives, or a negative number where ids
  /// are numbers.
  fileprivate static var temporaryID: String {
    hasNumericID ? String(-Int64.random(in: 1 << 40..<1 << 52)) : "local:\(RequestID.random())"
  }
}

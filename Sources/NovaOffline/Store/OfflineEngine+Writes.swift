import NovaCore

/// A write, and what it takes to send it.
struct OfflineWrite: Sendable {
  let rule: WriteRule
  var call: StoredCall
  /// What the store has for the client.
  let part: OfflinePart
  let send: CallStore.Send

  /// What it is about.
  fileprivate var entities: [String] { rule.entities(call.request) }
}

extension OfflineEngine {
  /// Sends a write, or lets it wait in the outbox.
  func answer(_ write: OfflineWrite) async throws -> APIResponse<any ProtoMessage> {
    let call = write.call
    if !write.rule.canWait {
      if call.options.delivery == .enqueue { throw Self.cannotWait(call.rpc) }
      return try await sent(write)
    }
    let turns = outbox.turns
    let turn = turns.enter(write.entities, identity: call.identity)
    defer { if turns.leave(turn) { outbox.wake(call.identity) } }
    if !turns.isFree(turn) { try await wait(for: turn, call) }
    // Another process may have queued a write about the same.
    await outbox.notice()
    return try await answer(write, in: turn)
  }

  /// The same in its turn: no other write about the same is under way, except those in the outbox.
  private func answer(_ write: OfflineWrite, in turn: WriteTurns.Turn) async throws -> APIResponse<any ProtoMessage> {
    let (identity, options, part) = (write.call.identity, write.call.options, write.part)
    // With the same key in the outbox, an attempt that arrived is recognized as the same write.
    let key = options.idempotencyKey.flatMap { $0.isEmpty ? nil : $0 } ?? RequestID.random()
    var write = write
    write.call.options.idempotencyKey = key
    // Before looking: of an entry that comes now, either this write or the outbox takes notice.
    outbox.turns.beginSending(turn)
    let isBehindOthers = outbox.hasWaiting(write.entities, identity: identity)
    // What was waiting before its turn may have been delivered meanwhile.
    write.call.request = outbox.withRealIDs(write.call.request, identity: identity)
    if options.delivery == .immediate {
      if isBehindOthers { throw Self.isBehindOthers(write.call.rpc) }
      return try await sent(write)
    }
    var mayHaveLeft = false
    let canWait = !write.call.isOfPassingToken
    if !isBehindOthers, options.delivery != .enqueue, !part.isOfflineMode, part.connectivity.isOnline || !canWait {
      do {
        return try await sent(write)
      } catch let error as APIError where error.meansUnreachable && canWait && !identity.isAnonymous {
        mayHaveLeft = error.mayHaveReachedGateway
      }
    }
    let response = try await enqueued(write, key: key, attempted: mayHaveLeft)
    if outbox.turns.endSending(turn) { outbox.wake(identity) }
    return response
  }

  /// Waits until the writes about the same that came before have ended or are in the outbox.
  private func wait(for turn: WriteTurns.Turn, _ call: StoredCall) async throws {
    let (turns, options) = (outbox.turns, call.options)
    let end = options.timeout.map { clock.now.advanced(by: $0) }
    let deadline = [end, options.deadline].compactMap(\.self).min()
    do {
      try await Race.run(
        until: deadline, clock,
        timeUp: APIError(
          .timeout, "an earlier write about the same is still being sent; nothing was sent", rpc: call.rpc.id)
      ) { try await turns.wait(for: turn) }
    } catch is CancellationError {
      try checkIsOpen(call.rpc.id)
      throw APIError(.cancelled, "the task was cancelled while an earlier write was being sent", rpc: call.rpc.id)
    }
  }

  private static func isBehindOthers(_ rpc: RPCDescriptor) -> APIError {
    APIError(
      .failedPrecondition,
      "earlier writes about the same wait in the outbox: flush it first, or call it without `immediate`", rpc: rpc.id)
  }

  private static func cannotWait(_ rpc: RPCDescriptor) -> APIError {
    APIError(.failedPrecondition, "this call cannot wait in the outbox: call it without `enqueue`", rpc: rpc.id)
  }

  /// Sends a write, and stores what it has changed.
  private func sent(_ write: OfflineWrite) async throws -> APIResponse<any ProtoMessage> {
    let (call, part) = (write.call, write.part)
    let start = await cache.beginWrite(identity: call.identity)
    defer { endedWrites.withLock { $0 += 1 } }
    do {
      let response = try await noting(part, for: call.identity) { try await write.send(call) }
      if response.isConfirmation(of: call.rpc, write.rule) {
        let confirmed = ConfirmedWrite(
          rule: write.rule, request: call.request, response: response.stated, start: start, time: Int64(clock.unixTime))
        await cache.confirm(confirmed, identity: call.identity)
        await outbox.accept(call.identity, from: part.caller(of: call.options))
      }
      await cache.endWrite(identity: call.identity)
      return response
    } catch {
      await cache.endWrite(identity: call.identity)
      throw error
    }
  }

  // MARK: Outbox

  private func enqueued(
    _ write: OfflineWrite, key: String, attempted: Bool
  ) async throws -> APIResponse<any ProtoMessage> {
    let (rule, call) = (write.rule, write.call)
    try checkArguments(call)
    if call.identity.isAnonymous {
      throw APIError(
        .unauthorized, "not signed in: only the writes of a user can wait until they are sent", rpc: call.rpc.id)
    }
    if call.isOfPassingToken {
      throw APIError(
        .failedPrecondition,
        "the write cannot wait: the user of the call's token is unknown, so nothing could send it later; name the user "
          + "with AccessToken(_:user:)", rpc: call.rpc.id)
    }
    let newID = rule.created.map { TemporaryID.random(for: $0) }
    let wouldChange = await wouldChange(rule, call.request, identity: call.identity)
    let entry = try await Outbox(outbox, write.part.caller(of: call.options)).enqueue(
      identity: call.identity, rule: rule, request: call.request, key: key, newID: newID, attempted: attempted,
      wouldChange: wouldChange
    ).entry
    await showWaiting(call.identity)
    let answer = await cache.answer(of: rule, call.request, newID: entry?.newID ?? newID ?? "", identity: call.identity)
    return Self.response(answer ?? call.rpc.responseType.init(), to: call, from: .outbox)
  }

  private func wouldChange(_ rule: WriteRule, _ request: any ProtoMessage, identity: Identity) async -> Bool? {
    guard let undoing = rule.undoing, let name = undoing.relation(request) else { return nil }
    return await cache.relation(name, identity: identity).map { $0 != undoing.isRelated }
  }

  /// Shows what the waiting writes of an identity change; nil for those of all.
  func showWaiting(_ identity: Identity?) async {
    await cache.show(identity, owners: { [outbox] in Array(outbox.queue.counts.keys) }) { [self] in unconfirmed($0) }
  }

  /// The waiting writes, without those that are stored already and are deleted next.
  private func unconfirmed(_ identity: Identity) -> [OutboxEntry] {
    let queue = outbox.queue
    let entries = queue.undelivered(identity)
    let confirmed = confirmedEntries.withLock { confirmed in
      // Of others, too.
      if !confirmed.isEmpty { confirmed = confirmed.filter { queue.entry($0) != nil } }
      return confirmed
    }
    return confirmed.isEmpty ? entries : entries.filter { !confirmed.contains($0.id) }
  }
}

extension APIResponse<any ProtoMessage> {
  /// Whether the gateway says that it has done what was asked for. Values that it has changed are in its record.
  fileprivate func isConfirmation(of rpc: RPCDescriptor, _ rule: WriteRule?) -> Bool {
    if let acknowledged = value as? any AcknowledgedResponse, !acknowledged.success { return false }
    return WriteAnswer.problem(value, rpc, rule) == nil
  }
}

extension StoredCall {
  /// Whether its token comes with it, and its user is unknown: no later call need have the same one.
  fileprivate var isOfPassingToken: Bool { options.haveCredentials && identity.isOfUnnamedToken }
}

/// Ids of records that wait to be created.
enum TemporaryID {
  /// A new id: a text that no gateway gives, or a negative number where ids are numbers.
  static func random(for record: any StoredRecord.Type) -> String {
    if record.hasNumericID { return String(-Int64.random(in: 1 << 40..<1 << 52)) }
    return "local:\(RequestID.random())"
  }
}

// MARK: - What the outbox asks for

extension OfflineEngine: OutboxHost {
  /// Keeps what is known when an entry is sent, until it is confirmed.
  func sending(
    _ entry: OutboxEntry, by send: () async throws -> APIResponse<any ProtoMessage>
  ) async throws -> APIResponse<any ProtoMessage> {
    let start = await cache.beginWrite(identity: entry.identity)
    do {
      let response = try await send()
      if response.isConfirmation(of: entry.rpc, OfflineRules.write(entry.rpc.id)) {
        sentWrites.withLock { $0[entry.id] = start }
      } else {
        await cache.endWrite(identity: entry.identity)
      }
      return response
    } catch {
      await cache.endWrite(identity: entry.identity)
      throw error
    }
  }

  func confirmed(_ entry: OutboxEntry, _ response: (any ProtoMessage)?, isRepeated: Bool) async throws {
    let sent = sentWrites.withLock { $0.removeValue(forKey: entry.id) }
    endedWrites.withLock { $0 += 1 }
    if let rule = OfflineRules.write(entry.rpc.id) {
      let latest = await cache.start(identity: entry.identity)
      let write = ConfirmedWrite(
        rule: rule, request: entry.request, response: response, start: sent ?? latest, newID: entry.newID ?? "",
        time: Int64(clock.unixTime), isRepeated: isRepeated)
      await cache.confirm(write, identity: entry.identity) { [self] in
        confirmedEntries.withLock { _ = $0.insert(entry.id) }
        return unconfirmed(entry.identity)
      }
    } else {
      confirmedEntries.withLock { _ = $0.insert(entry.id) }
    }
    if sent != nil { await cache.endWrite(identity: entry.identity) }
    await showWaiting(entry.identity)
  }

  func changed(_ identity: Identity?) {
    Task { [weak self] in await self?.showWaiting(identity) }
  }
}

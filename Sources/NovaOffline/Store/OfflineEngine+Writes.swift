import NovaCore

extension OfflineEngine {
  /// Sends a write, or lets it wait in the outbox.
  func write(_ rule: WriteRule, _ call: StoredCall, account: String, by send: CallStore.Send) async throws
    -> APIResponse<any ProtoMessage>
  {
    if !rule.canWait {
      if call.options.delivery == .enqueue { throw Self.cannotWait(call.rpc) }
      return try await sent(rule, call, account: account, by: send)
    }
    let turns = outbox.turns
    let turn = turns.enter(rule.entities(call.request), account: account)
    defer { if turns.leave(turn) { outbox.wake() } }
    if !turns.isFree(turn) { try await wait(for: turn, call, account: account) }
    // Another process may have queued a write about the same.
    await outbox.notice()
    return try await write(rule, call, turn, account: account, by: send)
  }

  /// The same in its turn: no other write about the same is under way, except those in the outbox.
  private func write(
    _ rule: WriteRule, _ call: StoredCall, _ turn: WriteTurns.Turn, account: String, by send: CallStore.Send
  ) async throws -> APIResponse<any ProtoMessage> {
    let delivery = call.options.delivery
    // With the same key in the outbox, an attempt that arrived is recognized as the same write.
    let key = call.options.idempotencyKey.flatMap { $0.isEmpty ? nil : $0 } ?? RequestID.random()
    var call = call
    call.options.idempotencyKey = key
    // Before looking: of an entry that comes now, either this write or the outbox takes notice.
    outbox.turns.beginSending(turn)
    let isBehindOthers = outbox.hasWaiting(rule.entities(call.request), account: account)
    // What was waiting before its turn may have been delivered meanwhile.
    call.request = outbox.withRealIDs(call.request, account: account)
    if delivery == .immediate {
      if isBehindOthers { throw Self.isBehindOthers(call.rpc) }
      return try await sent(rule, call, account: account, by: send)
    }
    var mayHaveLeft = false
    if !isBehindOthers, delivery != .enqueue, !isOfflineMode, connectivity.isOnline {
      do {
        return try await sent(rule, call, account: account, by: send)
      } catch let error as APIError where error.meansUnreachable {
        mayHaveLeft = error.mayHaveBeenSent
      }
    }
    let response = try await enqueued(rule, call, key: key, account: account, attempted: mayHaveLeft)
    if outbox.turns.endSending(turn) { outbox.wake() }
    return response
  }

  /// Waits until the writes about the same that came before have ended or are in the outbox.
  private func wait(for turn: WriteTurns.Turn, _ call: StoredCall, account: String) async throws {
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
    guard try await accountName() == account else {
      throw APIError(.unauthorized, "another user has signed in meanwhile; nothing was sent", rpc: call.rpc.id)
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
  private func sent(_ rule: WriteRule, _ call: StoredCall, account: String, by send: CallStore.Send) async throws
    -> APIResponse<any ProtoMessage>
  {
    let start = await cache.beginWrite(account: account)
    defer { endedWrites.withLock { $0 += 1 } }
    do {
      let response = try await noting { try await send(call) }
      if response.isConfirmation, let now = try? await accountName(), now == account {
        let write = ConfirmedWrite(
          rule: rule, request: call.request, response: response.value, start: start, time: Int64(clock.unixTime))
        await cache.confirm(write, account: account)
        await outbox.accept(account)
      }
      await cache.endWrite(account: account)
      return response
    } catch {
      await cache.endWrite(account: account)
      throw error
    }
  }

  // MARK: Outbox

  private func enqueued(_ rule: WriteRule, _ call: StoredCall, key: String, account: String, attempted: Bool)
    async throws
    -> APIResponse<any ProtoMessage>
  {
    try checkArguments(call)
    guard !account.isEmpty else {
      throw APIError(
        .unauthorized, "not signed in: only the writes of a user can wait until they are sent", rpc: call.rpc.id)
    }
    let newID = rule.created.map { TemporaryID.random(for: $0) }
    let wouldChange = await wouldChange(rule, call.request, account: account)
    let entry = try await outbox.enqueue(
      account: account, rule: rule, request: call.request, key: key, newID: newID, attempted: attempted,
      wouldChange: wouldChange
    ).entry
    await showWaiting()
    let answer = await cache.answer(of: rule, call.request, newID: entry?.newID ?? newID ?? "", account: account)
    return Self.response(answer ?? call.rpc.responseType.init(), to: call, from: .outbox)
  }

  private func wouldChange(_ rule: WriteRule, _ request: any ProtoMessage, account: String) async -> Bool? {
    guard let undoing = rule.undoing, let name = undoing.relation(request) else { return nil }
    return await cache.relation(name, account: account).map { $0 != undoing.isRelated }
  }

  /// Shows what the waiting writes change.
  func showWaiting() async {
    guard let account = try? await accountName() else { return }
    await cache.show(account: account) { [self] account in unconfirmed(account) }
  }

  /// The waiting writes, without those that are stored already and are deleted next.
  private func unconfirmed(_ account: String) -> [OutboxEntry] {
    let entries = outbox.waiting(for: account)
    let confirmed = confirmedEntries.withLock { confirmed in
      if !confirmed.isEmpty { confirmed.formIntersection(entries.map(\.id)) }
      return confirmed
    }
    return confirmed.isEmpty ? entries : entries.filter { !confirmed.contains($0.id) }
  }
}

extension APIResponse<any ProtoMessage> {
  /// Whether the gateway says that it has done what was asked for, and nothing else.
  fileprivate var isConfirmation: Bool {
    if let acknowledged = value as? any AcknowledgedResponse, !acknowledged.success { return false }
    return report.warnings.isEmpty
  }
}

extension APIError {
  /// Whether the gateway may have seen the call.
  fileprivate var mayHaveBeenSent: Bool { transport?.requestMayHaveLeft ?? true }
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
  func account() async throws -> String? {
    let account = try await accountName()
    return account.isEmpty ? nil : account
  }

  func send(
    _ rpc: RPCDescriptor, _ request: any ProtoMessage, key: String, account: String
  ) async throws -> APIResponse<any ProtoMessage> {
    guard let client = currentClient else { throw APIError(.cancelled, "the client is gone", rpc: rpc.id) }
    guard try await accountName() == account else {
      throw APIError(.unauthorized, "another user is signed in", rpc: rpc.id)
    }
    // The outbox repeats it, and must not be held up by one write.
    var options = CallOptions(retry: .never, idempotencyKey: key, checksArguments: false)
    options.caller = OperationCaller(try await client.identity())
    guard try await accountName() == account else {
      throw APIError(.unauthorized, "another user is signed in", rpc: rpc.id)
    }
    let start = await cache.beginWrite(account: account)
    do {
      let response = try await noting { [options] in try await client.send(rpc, request, options: options) }
      if response.isConfirmation {
        sentWrites.withLock { $0[key] = start }
      } else {
        await cache.endWrite(account: account)
      }
      return response
    } catch {
      await cache.endWrite(account: account)
      throw error
    }
  }

  func read(_ check: WriteCheck) async throws -> any ProtoMessage {
    guard let client = currentClient else { throw APIError(.cancelled, "the client is gone", rpc: check.rpc.id) }
    return try await noting { try await client.send(check.rpc, check.request, options: CallOptions()) }.value
  }

  func confirmed(_ entry: OutboxEntry, _ response: (any ProtoMessage)?, isRepeated: Bool) async throws {
    let sent = sentWrites.withLock { $0.removeValue(forKey: entry.key) }
    endedWrites.withLock { $0 += 1 }
    if let rule = OfflineRules.write(entry.rpc.id) {
      let latest = await cache.start(account: entry.account)
      let write = ConfirmedWrite(
        rule: rule, request: entry.request, response: response, start: sent ?? latest, newID: entry.newID ?? "",
        time: Int64(clock.unixTime), isRepeated: isRepeated)
      await cache.confirm(write, account: entry.account) { [self] account in
        confirmedEntries.withLock { _ = $0.insert(entry.id) }
        return unconfirmed(account)
      }
    } else {
      confirmedEntries.withLock { _ = $0.insert(entry.id) }
    }
    if sent != nil { await cache.endWrite(account: entry.account) }
    await showWaiting()
  }

  func changed() {
    Task { [weak self] in await self?.showWaiting() }
  }
}

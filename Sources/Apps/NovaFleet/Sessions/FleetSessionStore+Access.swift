public import NovaAuth
internal import NovaCore

/// Exclusive access: a lease on the session.
extension FleetSessionStore {
  public func withExclusiveAccess<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withExclusiveAccess(unlessChanged: { _ in nil }, body)
  }

  public func withExclusiveAccess<Result: Sendable>(
    unlessChanged result: @escaping @Sendable (StoredSession) -> Result?, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await tasks.withLock {
      let owner = RandomName.make()
      switch try await self.acquire(owner, unlessChanged: result) {
      case .access(let access): return try await self.holding(access, body)
      case .result(let result): return result
      }
    }
  }

  public func requireExclusiveAccess() async throws {
    guard let access = ownAccess, !access.isOffline else { return }
    // Enough for the request to be on its way.
    let isCertain = !access.isLost && clock.now.advanced(by: options.lease / 5) < access.leaseEnd
    if isCertain { return }
    let start = clock.now
    let isHeld = try await stored {
      try await self.records.renew(self.name, owner: access.owner, for: self.options.lease)
    }
    guard isHeld else {
      throw SessionStoreError(
        .changed, at: location, "its lease was lost, because this process was stopped for too long")
    }
    access.extend(to: start.advanced(by: options.lease))
  }

  private func holding<Result: Sendable>(
    _ access: SessionAccess, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    guard !access.isOffline else { return try await SessionAccess.$current.withValue(access, operation: body) }
    let renewal = Task { [records, name, options, clock] in
      while !Task.isCancelled {
        try await clock.sleep(for: options.lease / 3)
        let start = clock.now
        // After a failure, the next attempt may still be in time.
        guard let isHeld = try? await records.renew(name, owner: access.owner, for: options.lease) else { continue }
        guard isHeld else { return access.lose() }
        access.extend(to: start.advanced(by: options.lease))
      }
    }
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await SessionAccess.$current.withValue(access, operation: body)) } catch {
      result = .failure(error)
    }
    renewal.cancel()
    // In a separate task, because this one may be cancelled. A lease that cannot be released ends by itself.
    await Task { [records, name] in try? await records.release(name, owner: access.owner) }.value
    return try result.get()
  }

  private enum Acquired<Result: Sendable>: Sendable {
    case access(SessionAccess)
    case result(Result)
  }

  /// Waits for the lease, or for a session that another process saves.
  private func acquire<Result: Sendable>(
    _ owner: String, unlessChanged result: @Sendable (StoredSession) -> Result?
  ) async throws -> Acquired<Result> {
    var wait = LeaseWait(clock: clock, maximumPause: options.maximumPause)
    defer { wait.end() }
    var seen: Int64?
    while true {
      try Task.checkCancellation()
      let (start, time) = (clock.now, clock.unixTime)
      let answer: LeaseAnswer
      do {
        answer = try await stored { try await self.records.acquire(self.name, owner: owner, for: self.options.lease) }
      } catch let error as SessionStoreError where error.kind == .unavailable {
        return .access(try offlineAccess(owner, error))
      }
      switch answer {
      case .acquired(let record):
        noteTime(of: record, since: time)
        let end = start.advanced(by: options.lease)
        return .access(
          SessionAccess(
            owner: owner, store: ObjectIdentifier(self), record: record, leaseEnd: end, isOffline: false))
      case .busy(let record, let remaining):
        noteTime(of: record, since: time)
        if let value = newer(record, than: seen, result) { return .result(value) }
        seen = record.generation
        let isChanged = await wait.next(remaining: remaining) { self.records.changes(of: self.name) }
        // An announced change is mostly another session. To read it is less work for the store, and takes no lease, whose
        // release would wake everyone again.
        let time = clock.unixTime
        guard isChanged, let record = try? await records.read(name) else { continue }
        noteTime(of: record, since: time)
        if let value = newer(record, than: seen, result) { return .result(value) }
      }
    }
  }

  /// The result for a session that was saved after `generation`; nil without one.
  private func newer<Result: Sendable>(
    _ record: SessionRecord, than generation: Int64?, _ result: (StoredSession) -> Result?
  ) -> Result? {
    guard let generation, record.generation > generation, let session = try? opened(record) else { return nil }
    note(record, session)
    return result(session)
  }

  private func offlineAccess(_ owner: String, _ error: SessionStoreError) throws -> SessionAccess {
    guard options.whenStoreFails == .refreshAlone, let generation = generationInMemory else { throw error }
    let record = SessionRecord(generation: generation)
    return SessionAccess(
      owner: owner, store: ObjectIdentifier(self), record: record, leaseEnd: clock.now, isOffline: true)
  }
}

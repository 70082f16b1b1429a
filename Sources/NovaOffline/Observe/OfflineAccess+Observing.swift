public import NovaCore

extension OfflineAccess {
  /// The stored record, now and after each change by any task or process, including writes that wait.
  ///
  /// ```swift
  /// for await post in try nova.offline.observe(Post.self, id: "post-1") {
  ///   show(post?.value)
  /// }
  /// ```
  /// Nil while the record is not stored or gone, and after the user has signed out. Nothing is requested: read the
  /// record to have it stored. Values that come while the loop is busy are skipped but for the latest.
  ///
  /// - Parameters:
  ///   - type: `Post`, `UserProfile`, `Comment`, `UserSettings`, `Video`, `Reel`, `Something` or `Announcement`.
  ///   - id: the id; a number as text.
  /// - Throws: ``APIError`` `invalidArgument` for messages that are not stored as records.
  public func observe<Record: ProtoMessage>(
    _ type: Record.Type, id: String
  ) throws -> AsyncStream<StoredValue<Record>?> {
    guard let kind = type as? any StoredRecord.Type else {
      throw APIError(.invalidArgument, "\(type.descriptor.name) is no record with an id: observe an RPC instead")
    }
    return try values { engine, identity in
      guard let (record, age) = try await engine.cache.record(kind, id, identity: identity),
        let record = record as? Record
      else { return nil }
      return StoredValue(value: record, age: age)
    }
  }

  /// The stored answer of a read, now and after each change by any task or process, including writes that wait.
  ///
  /// ```swift
  /// let pages = try nova.offline.observe(GraphRPC.getFollowers, GetFollowersRequest(userId: "mock-user-id"))
  /// for await page in pages { show(page?.value.userIds ?? []) }
  /// ```
  /// Nil while the answer is not stored. Nothing is requested: call the RPC to have it stored. Answers that come while the
  /// loop is busy are skipped but for the latest.
  ///
  /// - Throws: ``APIError`` `invalidArgument` for RPCs whose answers are never stored.
  public func observe<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request
  ) throws -> AsyncStream<StoredValue<Response>?> {
    guard let rule = OfflineRules.read(rpc.descriptor.id) else {
      throw APIError(.invalidArgument, "answers of this call are never stored", rpc: rpc.descriptor.id)
    }
    return try values { engine, identity in
      let request = engine.outbox.withRealIDs(request, identity: identity)
      guard let answer = try await engine.cache.answer(rule, request, identity: identity),
        let value = answer.value as? Response
      else { return nil }
      return StoredValue(value: value, age: answer.age)
    }
  }

  private func values<Value: Sendable & Equatable>(
    _ read: @escaping @Sendable (OfflineEngine, _ identity: Identity) async throws -> StoredValue<Value>?
  ) throws -> AsyncStream<StoredValue<Value>?> {
    try engine.checkIsOpen()
    engine.watchOtherProcesses()
    let (caller, changes) = (caller, engine.cache.signal.changes())
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        // Nil for nothing yet.
        var last: Value??
        for await _ in changes {
          let current = await Self.current(caller, read)
          if last == .some(current?.value) { continue }
          last = .some(current?.value)
          continuation.yield(current)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// What is stored for a caller; nil for nothing, and if another user has signed in since.
  private static func current<Value>(
    _ caller: OfflineCaller, _ read: (OfflineEngine, Identity) async throws -> StoredValue<Value>?
  ) async -> StoredValue<Value>? {
    guard let engine = caller.part.engine, let identity = try? await caller.identity() else { return nil }
    await engine.load(identity)
    let current = try? await read(engine, identity)
    return (try? await caller.identity()) == identity ? current : nil
  }
}

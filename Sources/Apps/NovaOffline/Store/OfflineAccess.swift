public import NovaCore

extension ClientHolding {
  /// What the client's ``OfflineStore`` offers to the caller of these calls: the outbox, the state of the connection,
  /// and observing.
  ///
  /// ```swift
  /// let mine = nova.with { $0.token = token }
  /// print(try mine.offline.outbox.state.waiting)
  /// ```
  /// - Throws: ``APIError``: `failedPrecondition` for a client without such a store, `cancelled` after the client's end.
  public var offline: OfflineAccess {
    get throws {
      if let store = client.store as? OfflineStore { return try OfflineAccess(store, client: client, options: options) }
      throw APIError(
        .failedPrecondition,
        "no offline store: create the client with NovaClient(configuration:) { $0.store = OfflineStore(…) }"
      )
    }
  }
}

/// What an ``OfflineStore`` offers to one caller of a client: the signed-in user, or the holder of a token that comes
/// with the calls.
public struct OfflineAccess: Sendable {
  /// The store.
  public let store: OfflineStore
  let engine: OfflineEngine
  private let caller: OfflineCaller

  init(_ store: OfflineStore, client: APIClient, options: CallOptions = CallOptions()) throws {
    self.store = store
    let (engine, part) = try store.part(of: client)
    (self.engine, caller) = (engine, part.caller(of: options))
  }

  /// The caller's writes that wait, and those that were refused.
  public var outbox: Outbox { Outbox(engine.outbox, caller) }

  /// Whether the client can reach the gateway, as its calls have shown.
  public var connectivity: Connectivity { caller.connectivity }

  /// How much is stored, for all identities.
  ///
  /// - Throws: ``APIError`` `failedPrecondition` if the file cannot be read.
  public func cacheInfo() async throws -> CacheInfo { try await store.cacheInfo() }

  /// Forgets everything that was read, for all identities. Waiting writes stay.
  ///
  /// - Throws: ``APIError`` `failedPrecondition` if the file cannot be written.
  public func clearCache() async throws { try await store.clearCache() }

  // MARK: Observing

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
  /// Nil while the answer is not stored. Nothing is requested: call the RPC to have it stored. Answers that come while
  /// the loop is busy are skipped but for the latest.
  ///
  /// - Throws: ``APIError`` `invalidArgument` for RPCs whose answers are never stored.
  public func observe<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request
  ) throws -> AsyncStream<StoredValue<Response>?> {
    guard let rule = OfflineRules.read(rpc.descriptor.id) else {
      throw APIError(.invalidArgument, "answers of this call are never stored", rpc: rpc.descriptor.id)
    }
    return try values { engine, identity in
      let request = engine.outbox.store.withRealIDs(request, identity: identity)
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
    return .latest(after: engine.cache.changes.stream(), by: { $0?.value }) { [caller] in
      await Self.current(caller, read)
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

/// A value as it is stored, with what waiting writes change about it.
public struct StoredValue<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// How long ago the gateway sent it; nil if that is not sure, because a write has changed it since.
  public let age: Duration?

  /// Creates a value.
  public init(value: Value, age: Duration?) {
    self.value = value
    self.age = age
  }
}

extension StoredValue: Equatable where Value: Equatable {}

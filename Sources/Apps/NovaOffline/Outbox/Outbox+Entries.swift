public import NovaCore

// What a program shows to its users, and what they can do with their writes.
extension Outbox {
  /// All writes of the caller that are not delivered, oldest first: waiting, blocked, and refused.
  ///
  /// - Throws: ``APIError`` if the file cannot be read, or it cannot be found out who is signed in.
  public var entries: [OutboxEntry] {
    get async throws {
      let identity = try await caller.identity()
      try await engine.refresh()
      return store.queue.entries(of: identity)
    }
  }

  /// The writes that were refused, oldest first; see ``OutboxEntry/failure``.
  ///
  /// - Throws: as ``entries``.
  public var deadLetters: [OutboxEntry] { get async throws { try await entries.filter { $0.state == .dead } } }

  /// Sends a refused write again, or a waiting one at once.
  ///
  /// A write that may already have taken effect is done again by that.
  ///
  /// - Throws: ``APIError``: `notFound`; `failedPrecondition` for a write that waits for a refused one.
  public func retry(_ id: OutboxEntry.ID) async throws {
    let entry = try await entry(id)
    if case .blocked(let other) = entry.state {
      throw APIError(
        .failedPrecondition, "\(entry) is about what entry \(other) creates",
        advice: "retry, edit or discard that one first",
        rpc: entry.rpc.id)
    }
    try await revive([entry], entry.identity)
  }

  /// Sends all refused writes again.
  ///
  /// - Throws: ``APIError`` if the file cannot be written.
  public func retryAll() async throws {
    let identity = try await caller.identity()
    try await revive(try await deadLetters.filter { $0.identity == identity }, identity)
  }

  private func revive(_ entries: [OutboxEntry], _ identity: Identity) async throws {
    let (now, makeKey) = (engine.environment.clock.unixTime, engine.environment.makeKey)
    try await store.use { database in
      try database.revive(entries) { entry in
        entry.state == .dead && KeyDecision.isForgotten(entry, now: now) ? makeKey() : nil
      }
    }
    await engine.changed(identity, by: caller)
  }

  /// Replaces the request of a refused write, or of one that was never sent, and sends it.
  ///
  /// ```swift
  /// guard var request = entry.request as? CreateCommentRequest else { return }
  /// request.content = shortened
  /// try await outbox.edit(entry.id, to: request)
  /// ```
  ///
  /// - Parameter request: of the same type.
  /// - Throws: ``APIError``: `invalidArgument`; `notFound`; `failedPrecondition` for a write that may be at the
  ///   gateway.
  public func edit(_ id: OutboxEntry.ID, to request: any ProtoMessage) async throws {
    let entry = try await entry(id)
    try Self.check(request, of: entry.rpc)
    let tooLate = APIError(
      .failedPrecondition, "\(entry) may have reached the gateway already",
      advice: "wait until it is delivered or refused",
      rpc: entry.rpc.id)
    guard entry.state == .dead || !entry.mayHaveLeft else { throw tooLate }
    let request = store.withRealIDs(request, identity: entry.identity)
    let entities = engine.environment.rule(entry.rpc.id)?.entities(request) ?? entry.entities
    let key = engine.environment.makeKey()
    let isReplaced = try await store.use { try $0.replace(entry, by: request, about: entities, key: key) }
    guard isReplaced else { throw tooLate }
    await engine.changed(entry.identity, by: caller)
  }

  /// Forgets a write. One that is being sent may take effect nevertheless.
  ///
  /// - Parameters:
  ///   - cascade: whether the writes about what it creates are forgotten as well. Default: false; if there are any,
  ///     nothing is forgotten.
  ///   - includesOthers: whether the write may be one of ``otherEntries``: another person's. Default: false.
  /// - Returns: the forgotten writes, the one with the ID first.
  /// - Throws: ``APIError``: `notFound`; `failedPrecondition` if there are such writes.
  @discardableResult
  public func discard(
    _ id: OutboxEntry.ID, cascade: Bool = false, includesOthers: Bool = false
  ) async throws -> [OutboxEntry] {
    let identity = try? await caller.identity()
    try await engine.refresh()
    let queue = store.queue
    guard let entry = queue.entry(id), includesOthers || entry.identity == identity else { throw Self.notFound(id) }
    let dependents = queue.dependents(of: entry)
    guard dependents.isEmpty || cascade else {
      throw APIError(
        .failedPrecondition,
        "\(entry) creates what \(dependents.map(\.description).conjunction) \(dependents.count == 1 ? "needs" : "need")",
        advice: "discard \(dependents.count == 1 ? "it" : "them") first, or all with cascade",
        rpc: entry.rpc.id)
    }
    try await store.use { try $0.discard([entry.id] + dependents.map(\.id)) }
    await engine.changed(entry.identity, by: caller)
    return [entry] + dependents
  }

  private func entry(_ id: OutboxEntry.ID) async throws -> OutboxEntry {
    guard let entry = try await entries.first(where: { $0.id == id }) else { throw Self.notFound(id) }
    return entry
  }

  private static func notFound(_ id: OutboxEntry.ID) -> APIError {
    APIError(.notFound, "entry \(id) is not in the outbox", advice: "it may have been sent, see `entries`")
  }

  // MARK: Entries that cannot be read

  /// The ids of the entries that cannot be read: of another version of the SDK, or damaged. They are never sent.
  package var unreadable: [OutboxEntry.ID] { store.image.unreadable }

  /// Whether an entry cannot be read.
  ///
  /// - Throws: as ``entries``.
  package func cannotRead(_ id: OutboxEntry.ID) async throws -> Bool {
    try await engine.refresh()
    return unreadable.contains(id)
  }

  /// Forgets an entry that cannot be read.
  package func discardUnreadable(_ id: OutboxEntry.ID) async throws {
    guard try await cannotRead(id) else { throw Self.notFound(id) }
    try await store.use { try $0.discard([id]) }
  }

  // MARK: The writes of others

  /// The writes in the directory that were made under other sign-ins, oldest first, waiting and refused: of other
  /// users, and with other tokens.
  ///
  /// They are never sent under another identity by themselves: those of a user wait until that user signs in again, or
  /// makes calls. Those that were made with a token that names no user, such as `NOVA_TOKEN` if it is no JSON Web Token,
  /// wait for that very token: after it was replaced, ``adopt(_:)`` them, or ``discard(_:cascade:includesOthers:)`` them.
  /// They are for the person who runs the program: never show them to one of several users.
  ///
  /// - Throws: as ``entries``.
  public var otherEntries: [OutboxEntry] {
    get async throws {
      let identity = try await caller.identity()
      try await engine.refresh()
      return store.queue.entries.filter { $0.identity != identity }
    }
  }

  /// Makes a write of ``otherEntries``, with all others of the same token, one of the user who is signed in now: sent in
  /// their name. Only for writes that were made with a token that names no user.
  ///
  /// - Throws: ``APIError``: `notFound`; `unauthorized` if nobody is signed in; `failedPrecondition` for the writes of
  ///   another user or gateway, and for a caller whose token comes with the calls.
  public func adopt(_ id: OutboxEntry.ID) async throws {
    guard let entry = try await otherEntries.first(where: { $0.id == id }) else { throw Self.notFound(id) }
    let identity = try await caller.identity()
    guard !identity.isAnonymous else {
      throw APIError(.unauthorized, "not signed in", reason: "nobody can send \(entry)", rpc: entry.rpc.id)
    }
    guard entry.identity.isOfUnnamedToken, entry.identity.gateway == identity.gateway, caller.isOwn else {
      throw APIError(
        .failedPrecondition, "\(entry) was made by another user, or at another gateway",
        advice: "sign in there, or discard it",
        rpc: entry.rpc.id)
    }
    try await store.use { try $0.move(from: entry.identity, to: identity) }
    await engine.changed(entry.identity, by: caller)
    await engine.changed(identity, by: caller)
  }
}

extension Identity {
  /// Whether the caller's token names no user.
  var isOfUnnamedToken: Bool { if case .token = caller { true } else { false } }
}

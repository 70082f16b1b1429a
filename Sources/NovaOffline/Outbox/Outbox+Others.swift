import NovaCore

// The writes of others.
extension Outbox {
  /// The writes in the directory that were made under other sign-ins, oldest first, waiting and refused: of other users, and
  /// with other tokens.
  ///
  /// They are never sent under another identity by themselves: those of a user wait until that user signs in again, or
  /// makes calls. Those that were made with a token that names no user, such as `NOVA_TOKEN` if it is no JSON Web Token,
  /// wait for that very token: after it was replaced, ``adopt(_:)`` them, or ``discard(_:cascade:includesOthers:)`` them.
  /// They are for whoever runs the program: never show them to one of several users.
  ///
  /// - Throws: as ``entries``.
  public var otherEntries: [OutboxEntry] {
    get async throws {
      let identity = try await caller.identity()
      try await engine.refresh()
      return engine.queue.entries.filter { $0.identity != identity }
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
      throw APIError(.unauthorized, "not signed in: nobody can send \(entry)", rpc: entry.rpc.id)
    }
    guard entry.identity.isOfUnnamedToken, entry.identity.gateway == identity.gateway, caller.isOwn else {
      throw APIError(
        .failedPrecondition, "\(entry) was made by another user, or at another gateway; sign in there, or discard it",
        rpc: entry.rpc.id)
    }
    try await store.use { try $0.move(from: entry.identity, to: identity) }
    await changed(entry.identity)
    await changed(identity)
  }
}

extension Identity {
  /// Whether a token makes the calls of which no user is known.
  var isOfUnnamedToken: Bool { if case .token = caller { true } else { false } }
}

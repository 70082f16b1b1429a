import NovaCore

// The writes of earlier sign-ins.
extension Outbox {
  /// The writes in the directory that were made under other sign-ins, oldest first, waiting and refused: of other users, and
  /// with other tokens.
  ///
  /// They are never sent under another identity by themselves: those of a user wait until that user signs in again. Those
  /// that were made with a token that names no user, such as `NOVA_TOKEN` if it is no JSON Web Token, wait for that very
  /// token: after it was replaced, ``adopt(_:)`` them, or ``discard(_:cascade:)`` them. They may be another person's: think
  /// before you show them.
  ///
  /// - Throws: as ``entries``.
  public var otherEntries: [OutboxEntry] {
    get async throws {
      let account = try await engine.host?.account()
      try await engine.refresh()
      return engine.queue.entries.filter { $0.account != account }
    }
  }

  /// Makes a write of ``otherEntries``, with all others of the same token, one of the user who is signed in now: sent in
  /// their name. Only for writes that were made with a token that names no user.
  ///
  /// - Throws: ``APIError``: `notFound`; `unauthorized` if nobody is signed in; `failedPrecondition` for the writes of
  ///   another user or gateway.
  public func adopt(_ id: OutboxEntry.ID) async throws {
    guard let entry = try await otherEntries.first(where: { $0.id == id }) else { throw Self.notFound(id) }
    guard let account = try await engine.host?.account() else {
      throw APIError(.unauthorized, "not signed in: nobody can send \(entry)", rpc: entry.rpc.id)
    }
    guard AccountName.isOfUnnamedToken(entry.account, atGatewayOf: account) else {
      throw APIError(
        .failedPrecondition, "\(entry) was made by another user, or at another gateway; sign in there, or discard it",
        rpc: entry.rpc.id)
    }
    try await store.use { try $0.move(from: entry.account, to: account) }
    await changed()
  }
}

public import NovaCore

extension ClientHolding {
  /// What the client's ``OfflineStore`` offers to the caller of these calls: its outbox, what it knows about the connection,
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

/// What an ``OfflineStore`` offers to one caller of a client: whoever is signed in, or the holder of a token that comes with
/// the calls.
public struct OfflineAccess: Sendable {
  /// The store.
  public let store: OfflineStore
  let engine: OfflineEngine
  let caller: OfflineCaller

  init(_ store: OfflineStore, client: APIClient, options: CallOptions = CallOptions()) throws {
    self.store = store
    let (engine, part) = try store.part(of: client)
    (self.engine, caller) = (engine, part.caller(of: options))
  }

  /// The caller's writes that wait, and those that were refused.
  public var outbox: Outbox { Outbox(engine.outbox, caller) }

  /// Whether the client can reach the gateway, as far as its calls have shown.
  public var connectivity: Connectivity { caller.connectivity }

  /// How much is stored, for all identities.
  ///
  /// - Throws: ``APIError`` `failedPrecondition` if the file cannot be read.
  public func cacheInfo() async throws -> CacheInfo { try await store.cacheInfo() }

  /// Forgets everything that was read, for all identities. Waiting writes stay.
  ///
  /// - Throws: ``APIError`` `failedPrecondition` if the file cannot be written.
  public func clearCache() async throws { try await store.clearCache() }
}

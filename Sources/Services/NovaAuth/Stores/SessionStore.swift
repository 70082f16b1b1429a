import NovaCore

/// A session with the origin of its gateway, so that its tokens are never sent to another one.
public struct StoredSession: Sendable, Hashable {
  /// The session.
  public var session: Session
  /// The origin of the gateway that opened it, for example `https://api.nova.social`.
  public var origin: String
  /// The known difference to the gateway's clock, by which the session expires; nil if unknown. If a store does not
  /// keep it, each process determines it again.
  public var serverClock: ServerClock?

  /// Creates a stored session.
  ///
  /// - Parameters:
  ///   - origin: the gateway's origin, whose default port can be written out: `https://api.nova.social:443`.
  ///   - serverClock: the known difference to the gateway's clock. Default: nil, unknown.
  public init(session: Session, origin: String, serverClock: ServerClock? = nil) {
    self.session = session
    self.origin = (try? HTTPURL(parsing: origin))?.origin.text ?? origin
    self.serverClock = serverClock
  }
}

extension StoredSession? {
  /// Whether both are the same session, or nil. The difference to the server's clock does not count.
  func isSame(as other: StoredSession?) -> Bool {
    self?.session == other?.session && self?.origin == other?.origin
  }
}

/// Stores one session between calls, or between runs of a program.
public protocol SessionStore: Sendable {
  /// Returns the session; nil if nobody is signed in.
  ///
  /// - Throws: ``SessionStoreError`` for the stores of this module, or a store's own error.
  func load() async throws -> StoredSession?

  /// Saves a session in place of the earlier one, which is unchanged if this throws.
  ///
  /// A store that machines share throws ``SessionStoreError`` of the kind `changed` if another one has saved a session
  /// since this one loaded its own. The manager then uses the saved session.
  func save(_ session: StoredSession) async throws

  /// Removes the session. Succeeds also if nobody is signed in.
  func clear() async throws

  /// Runs `body` with exclusive access to the store, in this process and all others that share it. `body` can load,
  /// save, and clear, which acquire no lock themselves. It must not call this function again.
  ///
  /// - Throws: what `body` throws; an error if the store cannot be locked; `CancellationError` if the task is cancelled
  ///   while it waits.
  func withExclusiveAccess<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result

  /// Runs `body` like ``withExclusiveAccess(_:)``, unless `result` accepts a session that another process saves while
  /// this one waits. Then returns the value of `result`, without having had exclusive access.
  ///
  /// Default: waits for exclusive access in any case.
  func withExclusiveAccess<Result: Sendable>(
    unlessChanged result: @escaping @Sendable (StoredSession) -> Result?, _ body: @Sendable () async throws -> Result
  ) async throws -> Result

  /// Throws if exclusive access was lost, for example because the process was stopped for longer than its lease.
  /// ``SessionManager`` calls it inside ``withExclusiveAccess(_:)``, right before it sends a refresh token.
  ///
  /// Default: does nothing, for stores that cannot lose it.
  ///
  /// - Throws: ``SessionStoreError`` of the kind `changed`; then the refresh starts again.
  func requireExclusiveAccess() async throws

  /// Removes a session because the server refused its refresh token, unless the store has a newer session.
  ///
  /// Default: removes the session.
  ///
  /// - Returns: the newer session, which stays; nil if the session was removed.
  func clear(refused session: StoredSession) async throws -> StoredSession?
}

extension SessionStore {
  public func withExclusiveAccess<Result: Sendable>(
    unlessChanged result: @escaping @Sendable (StoredSession) -> Result?, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withExclusiveAccess(body)
  }

  public func requireExclusiveAccess() async throws {}

  public func clear(refused session: StoredSession) async throws -> StoredSession? {
    try await clear()
    return nil
  }
}

/// Stores a session in memory, for as long as the program runs.
public final class MemorySessionStore: SessionStore {
  private let stored: Locked<StoredSession?>
  private let lock = AsyncLock()

  /// Creates a store.
  public init(_ session: StoredSession? = nil) { stored = Locked(session) }

  public func load() async -> StoredSession? { stored.withLock { $0 } }
  public func save(_ session: StoredSession) async { stored.withLock { $0 = session } }
  public func clear() async { stored.withLock { $0 = nil } }

  public func withExclusiveAccess<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await lock.withLock(body)
  }
}

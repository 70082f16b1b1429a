import NovaCore

/// A session as it is stored: with the gateway whose it is, so that a token never goes to another one.
public struct StoredSession: Sendable, Hashable {
  /// The session.
  public var session: Session
  /// Scheme, host and port of the gateway that opened it, for example `https://api.nova.social`.
  public var origin: String

  /// Creates a stored session.
  public init(session: Session, origin: String) {
    self.session = session
    self.origin = origin
  }
}

/// Keeps one session between calls, or between runs of a program.
public protocol SessionStore: Sendable {
  /// The session; nil for none.
  ///
  /// - Throws: an error that says what is wrong with the store; ``SessionStoreError`` for those of this module.
  func load() async throws -> StoredSession?

  /// Keeps a session in place of the one before. When this throws, the one before is still there.
  func save(_ session: StoredSession) async throws

  /// Forgets the session; succeeds when there is none.
  func clear() async throws

  /// Runs `body` while nobody else is inside a call of this kind on the same store, in this process or another one that
  /// shares it. `body` may load, save and clear, which take no lock themselves; it must not call this again.
  ///
  /// - Throws: what `body` throws; an error when the store cannot be had for oneself; `CancellationError` when the task
  ///   is cancelled while it waits.
  func withExclusiveAccess<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result
}

/// Keeps a session for as long as the program runs.
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

public import NovaAuth

/// A session store that fails with an error of its own, except when it is locked.
public struct BrokenStore: SessionStore {
  public struct Failure: Error {}

  public init() {}

  public func load() async throws -> StoredSession? { throw Failure() }
  public func save(_ session: StoredSession) async throws { throw Failure() }
  public func clear() async throws { throw Failure() }
  public func withExclusiveAccess<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result { try await body() }
}

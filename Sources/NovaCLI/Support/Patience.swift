import NovaCore
import NovaSDK

/// Does not wait for a server on this machine that is not there: whoever sits at the terminal reads what to do, and
/// starts it. Programs may have started it themselves a moment ago, and go on waiting.
struct NobodyListens: RetryRule {
  let configuration: APIConfiguration

  func objection(to failure: FailedAttempt) -> String? {
    guard failure.error.transport?.kind == .connectionRefused,
      let url = try? HTTPURL(configuration.baseURL(for: failure.rpc.service)), url.isLoopback
    else { return nil }
    return "nothing listens there on this machine"
  }
}

extension Resilience {
  /// What a command tries again: less where a person waits for it.
  static func ofCommand(_ configuration: APIConfiguration, isInteractive: Bool) -> Resilience {
    guard isInteractive else { return Resilience() }
    let policy = RetryPolicy.standard(attempts: configuration.retryAttempts, delay: configuration.retryDelay)
    return Resilience(retry: policy.adding(NobodyListens(configuration: configuration)))
  }
}

/// A store that shows that it waits for another process.
struct WatchedSessionStore: SessionStore {
  let base: any SessionStore
  let line: StatusLine

  func load() async throws -> StoredSession? { try await base.load() }
  func save(_ session: StoredSession) async throws { try await base.save(session) }
  func clear() async throws { try await base.clear() }

  func withExclusiveAccess<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    let wait = line.begin("another program that uses the session")
    defer { line.end(wait) }
    return try await base.withExclusiveAccess {
      line.end(wait)
      return try await body()
    }
  }
}

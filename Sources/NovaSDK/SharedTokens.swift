import NovaAuth
import NovaCore

/// The tokens of the shared client: those of its session while somebody is signed in, and otherwise the one that
/// `setAuthToken` sets.
struct SharedTokens: SettableTokens {
  let sessions: SessionManager
  let storedToken: StoredToken

  private func isSignedIn() async throws -> Bool { try await sessions.account() != nil }

  var availableToken: AccessToken? { sessions.availableToken }

  func accessToken() async throws -> AccessToken? {
    try await isSignedIn() ? try await sessions.accessToken() : try await storedToken.accessToken()
  }

  func replacement(for refused: AccessToken) async throws -> AccessToken? {
    // Nobody but the session has another token than the one that was set.
    storedToken.current == refused ? nil : try await sessions.replacement(for: refused)
  }

  func serverTime(_ unixSeconds: Int64) { sessions.serverTime(unixSeconds) }

  func account() async throws -> String? { try await sessions.account() }

  func onSignOut(_ body: @escaping @Sendable (_ account: String) async -> Void) { sessions.onSignOut(body) }
}

/// A session store that can be replaced by another one.
final class ReplaceableSessionStore: SessionStore {
  private let store = Locked<any SessionStore>(MemorySessionStore())

  var value: any SessionStore {
    get { store.withLock { $0 } }
    set { store.withLock { $0 = newValue } }
  }

  func load() async throws -> StoredSession? { try await value.load() }
  func save(_ session: StoredSession) async throws { try await value.save(session) }
  func clear() async throws { try await value.clear() }

  func withExclusiveAccess<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await value.withExclusiveAccess(body)
  }
}

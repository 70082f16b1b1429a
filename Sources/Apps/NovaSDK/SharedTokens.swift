import NovaAuth
import NovaCore

/// The tokens of the shared client: the token of its session while a user is signed in, and otherwise the one that
/// `setAuthToken` sets.
final class SharedTokens: SettableTokens {
  let storedToken: StoredToken
  private let gateway: SessionManager
  private let mock: SessionManager
  private let store: ReplaceableSessionStore
  /// The number of the store that was read last. Sessions that begin later, or are reloaded, are in memory.
  private let asked = Locked<Int?>(nil)

  init(store: ReplaceableSessionStore, gateway: SessionManager, mock: SessionManager, storedToken: StoredToken) {
    (self.store, self.gateway, self.mock, self.storedToken) = (store, gateway, mock, storedToken)
  }

  /// The sessions of the backend that calls use now.
  var sessions: SessionManager { APIFeatureFlags.enableMockData ? mock : gateway }

  private var wasStoreAsked: Bool { asked.withLock { $0 } == store.number }

  private func isSignedIn(_ sessions: SessionManager) async throws -> Bool {
    if sessions.current != nil { return true }
    if sessions === mock || wasStoreAsked { return false }
    do {
      let number = store.number
      let user = try await sessions.currentUser()
      asked.withLock { $0 = number }
      return user != nil
    } catch {
      throw SessionManager.callError(error)
    }
  }

  var availableToken: AccessToken? {
    let sessions = sessions
    if sessions.current != nil { return sessions.availableToken }
    return sessions === mock || wasStoreAsked ? storedToken.current : nil
  }

  func accessToken() async throws -> AccessToken? {
    let sessions = sessions
    return try await isSignedIn(sessions) ? try await sessions.accessToken() : try await storedToken.accessToken()
  }

  func replacement(for refused: AccessToken) async throws -> AccessToken? {
    let sessions = sessions
    return try await isSignedIn(sessions) ? try await sessions.replacement(for: refused) : nil
  }

  func serverTime(_ unixSeconds: Int64) { sessions.serverTime(unixSeconds) }

  func currentUser() async throws -> String? {
    let sessions = sessions
    return try await isSignedIn(sessions) ? try await sessions.currentUser() : nil
  }

  func onSignOut(_ body: @escaping @Sendable (_ user: String) async -> Void) {
    gateway.onSignOut(body)
    mock.onSignOut(body)
  }
}

/// A session store that can be replaced by another one.
final class ReplaceableSessionStore: SessionStore {
  private let store = Locked<(value: any SessionStore, number: Int)>((MemorySessionStore(), 0))

  var value: any SessionStore {
    get { store.withLock { $0.value } }
    set { store.withLock { $0 = (newValue, $0.number + 1) } }
  }

  /// Increases with each replacement.
  var number: Int { store.withLock { $0.number } }

  func load() async throws -> StoredSession? { try await value.load() }
  func save(_ session: StoredSession) async throws { try await value.save(session) }
  func clear() async throws { try await value.clear() }

  func withExclusiveAccess<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await value.withExclusiveAccess(body)
  }
}

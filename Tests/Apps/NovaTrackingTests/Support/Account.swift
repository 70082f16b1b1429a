import NovaCore

/// The token of a user who can sign in and out.
final class Account: TokenProvider {
  private struct State: Sendable {
    var user: String?
    var handlers: [@Sendable (String) async -> Void] = []
  }

  private let state: Locked<State>
  private let token: AccessToken

  init(_ user: String?, token: String = "token-of-nobody-in-particular") throws {
    state = Locked(State(user: user))
    self.token = try AccessToken(token)
  }

  var availableToken: AccessToken? { state.withLock { $0.user }.map { token.belonging(to: $0) } }

  func accessToken() async throws -> AccessToken? {
    guard let token = availableToken else { throw APIError(.unauthorized, "nobody is signed in; nothing was sent") }
    return token
  }

  func currentUser() async throws -> String? { state.withLock { $0.user } }

  func onSignOut(_ body: @escaping @Sendable (String) async -> Void) { state.withLock { $0.handlers.append(body) } }

  func signIn(_ user: String) { state.withLock { $0.user = user } }

  func signOut() async {
    let (user, handlers) = state.withLock { state in
      let user = state.user
      state.user = nil
      return (user, state.handlers)
    }
    for handler in handlers { await handler(user ?? "") }
  }
}

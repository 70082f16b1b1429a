import NovaCore
import NovaSupport

/// A session with tokens that the gateway accepts: first `ada-1`, then `ada-2` once it is renewed.
final class FakeSession: TokenProvider {
  private struct State {
    var user: String?
    var number = 0
    var handlers: [@Sendable (String) async -> Void] = []

    var text: String? { user.map { "\($0)-\(number)" } }
  }

  private let gateway: EventGateway
  /// Whether tokens name their user.
  private let namesUser: Bool
  private let state = Locked(State())

  init(_ gateway: EventGateway, user: String? = nil, namesUser: Bool = true) {
    (self.gateway, self.namesUser) = (gateway, namesUser)
    if let user { signIn(user) }
  }

  var user: String? { state.withLock { $0.user } }
  var handlerCount: Int { state.withLock { $0.handlers.count } }

  /// Replaces the session by another user's.
  func signIn(_ user: String) {
    state.withLock { $0.user = user }
    renew()
  }

  func signOut() async {
    let (user, handlers) = state.withLock { state in
      defer { state.user = nil }
      return (state.user, state.handlers)
    }
    guard let user else { return }
    for handler in handlers { await handler(user) }
  }

  /// Gets another token. The gateway refuses the earlier one.
  func renew() {
    state.withLock { state in
      guard let user = state.user else { return }
      let old = state.text
      // Each session has its own tokens.
      state.number += 1
      let new = state.text
      gateway.state.withLock { gateway in
        if let old { gateway.users[old] = nil }
        if let new { gateway.users[new] = user }
      }
    }
  }

  private var token: AccessToken? {
    state.withLock { state in
      state.text.flatMap { try? AccessToken($0, user: namesUser ? state.user : nil) }
    }
  }

  var availableToken: AccessToken? { token }

  func accessToken() async throws -> AccessToken? {
    guard let token else { throw APIError(.unauthorized, "not signed in") }
    return token
  }

  func replacement(for refused: AccessToken) async throws -> AccessToken? { token == refused ? nil : token }
  func currentUser() async throws -> String? { namesUser ? user : nil }

  func onSignOut(_ body: @escaping @Sendable (_ user: String) async -> Void) {
    state.withLock { $0.handlers.append(body) }
  }
}

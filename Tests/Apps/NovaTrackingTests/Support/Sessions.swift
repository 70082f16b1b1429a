import NovaAnalytics
import NovaCore
import NovaTesting

/// The tokens of a user who can sign in and out. They name their user: `token-ada-1`.
final class Sessions: TokenProvider {
  private struct State: Sendable {
    var user: String?
    var handlers: [@Sendable (String) async -> Void] = []
  }

  private let state: Locked<State>
  /// Whether no token is available without waiting.
  private let isSlow: Bool

  init(_ user: String?, isSlow: Bool = false) {
    state = Locked(State(user: user))
    self.isSlow = isSlow
  }

  var user: String? { state.withLock { $0.user } }

  var availableToken: AccessToken? { isSlow ? nil : user.flatMap { try? .of($0) } }

  func accessToken() async throws -> AccessToken? {
    await Task.yield()
    guard let user else { throw APIError(.unauthorized, "nobody is signed in; nothing was sent") }
    return try .of(user)
  }

  func currentUser() async throws -> String? { user }

  func onSignOut(_ body: @escaping @Sendable (String) async -> Void) { state.withLock { $0.handlers.append(body) } }

  func signIn(_ user: String) { state.withLock { $0.user = user } }

  func signOut() async {
    let (user, handlers) = state.withLock { state in
      defer { state.user = nil }
      return (state.user, state.handlers)
    }
    if let user { for handler in handlers { await handler(user) } }
  }
}

extension AccessToken {
  /// A token that names its user.
  static func of(_ user: String, _ number: Int = 1) throws -> AccessToken {
    try AccessToken("token-\(user)-\(number)", user: user)
  }

  /// A token that does not name its user.
  static func opaque(_ holder: String, _ number: Int = 1) throws -> AccessToken {
    try AccessToken("token-\(holder)-\(number)")
  }
}

extension AnalyticsGateway {
  /// The holders of the tokens that an event was sent with: `ada` for `token-ada-1`; empty without a token.
  func bringers(of name: String) -> [String] {
    deliveries.flatMap { delivery in
      delivery.events.filter { $0.name == name }.map { _ in Self.holder(of: delivery.token) }
    }
  }

  static func holder(of token: String) -> String {
    token.split(separator: "-").dropFirst().first.map { String($0) } ?? ""
  }
}

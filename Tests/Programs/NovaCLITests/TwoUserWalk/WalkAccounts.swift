import NovaCore
import NovaTestSupport

/// The tokens of a walk's gateway: whose they are, and which of them are good. Refresh tokens are good for one refresh.
struct WalkAccounts: Sendable {
  private struct Token {
    let user: WalkUser
    /// The sign-in that it comes from.
    let session: Int
    var isGood = true
  }

  private var accessTokens: [String: Token] = [:]
  private var refreshTokens: [String: Token] = [:]
  /// The answers to refreshes, by key: one whose answer was lost is asked for again.
  private var refreshAnswers: [String: JSONValue] = [:]
  private var count = 0

  /// Whose an access token is, also if it has expired.
  func user(of accessToken: String?) -> WalkUser? { accessToken.flatMap { accessTokens[$0]?.user } }

  /// Whose a refresh token is, also if it was used.
  func user(ofRefreshToken token: String?) -> WalkUser? { token.flatMap { refreshTokens[$0]?.user } }

  func isGood(_ accessToken: String?) -> Bool { accessToken.flatMap { accessTokens[$0]?.isGood } ?? false }

  mutating func expire(_ accessToken: String?) {
    guard let accessToken else { return }
    accessTokens[accessToken]?.isGood = false
  }

  /// New tokens of a user.
  mutating func issue(_ user: WalkUser, session: Int? = nil) -> (access: String, refresh: String) {
    count += 1
    let tokens = (Canary.access(count), Canary.refresh(count))
    let session = session ?? count
    accessTokens[tokens.0] = Token(user: user, session: session)
    refreshTokens[tokens.1] = Token(user: user, session: session)
    return tokens
  }

  /// The answer to a sign-in; nil for a wrong password.
  mutating func signIn(email: String?, password: String?) -> JSONValue? {
    let user = WalkUser.allCases.first { $0.email == email && $0.password == password }
    guard let user else { return nil }
    let tokens = issue(user)
    return .members(
      ("user_id", .string(user.id)), ("token", .string(tokens.access)), ("refresh_token", .string(tokens.refresh)),
      ("expires_in", .number("3600")))
  }

  /// The answer to a refresh; nil if the token was used, or its session has ended.
  mutating func refresh(_ token: String, key: String?) -> JSONValue? {
    if let key, let known = refreshAnswers[key] { return known }
    guard let used = refreshTokens[token], used.isGood else { return nil }
    refreshTokens[token]?.isGood = false
    let tokens = issue(used.user, session: used.session)
    let answer = JSONValue.members(
      ("token", .string(tokens.access)), ("refresh_token", .string(tokens.refresh)), ("expires_in", .number("3600")))
    if let key { refreshAnswers[key] = answer }
    return answer
  }

  /// Ends the session of an access token.
  mutating func signOut(_ accessToken: String?) {
    guard let session = accessToken.flatMap({ accessTokens[$0]?.session }) else { return }
    for (name, token) in accessTokens where token.session == session { accessTokens[name]?.isGood = false }
    for (name, token) in refreshTokens where token.session == session { refreshTokens[name]?.isGood = false }
  }
}

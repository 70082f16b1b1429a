import NovaAuth
import NovaCore

/// Someone who can log in.
struct Account: Sendable {
  static let maximumWrongPasswords = 5

  let userID: String
  let email: String
  let username: String
  let createdAt: Int64
  let password: PasswordHash
  /// Whether the address is confirmed; without that, the account has no sessions.
  var isEmailConfirmed = true
  /// The number of consecutive wrong passwords.
  var wrongPasswords = 0

  var isLocked: Bool { wrongPasswords >= Self.maximumWrongPasswords }
}

/// Accounts and sessions.
///
/// Tokens are not stored, because their signature proves that they were issued. Only revoked sessions are.
struct AuthStore: Sendable {
  var key = SigningKey(seed: 0)
  private var accounts: [ExactText: Account] = [:]
  private var userIDs: [ExactText: String] = [:]
  private var revoked: Set<SessionID> = []
  /// The number of the last session when all were closed; 0 before that.
  private var lastClosed = 0
  private var sessionCount = 0
  private var tokenCount = 0
  private var registeredCount = 0

  var accountCount: Int { accounts.count }

  func account(_ userID: String) -> Account? { accounts[ExactText(userID)] }

  /// Returns the account with an address, ignoring case.
  func account(email: String) -> Account? { userIDs[ExactText(email.lowercased())].flatMap { accounts[ExactText($0)] } }

  /// Adds an account, or replaces the user's previous one.
  mutating func set(_ account: Account) {
    accounts[ExactText(account.userID)] = account
    userIDs[ExactText(account.email.lowercased())] = account.userID
  }

  mutating func makeUserID() -> String {
    registeredCount += 1
    return "user-registered-\(registeredCount)"
  }

  mutating func startSession(of account: Account) -> SessionID {
    sessionCount += 1
    return SessionID(user: account.userID, number: sessionCount)
  }

  mutating func makeTokenID() -> String {
    tokenCount += 1
    return "token-\(tokenCount)"
  }

  mutating func revoke(_ session: SessionID) { revoked.insert(session) }

  /// Closes all sessions that were started.
  mutating func revokeAll() { lastClosed = sessionCount }

  func isRevoked(_ session: SessionID) -> Bool { session.number <= lastClosed || revoked.contains(session) }

  /// Returns the salt for an address. It is deterministic, like everything in this backend.
  func salt(for email: String) throws(MockFailure) -> [UInt8] {
    if let account = account(email: email) { return account.password.salt }
    return Array(try key.code(for: "salt of \(email.lowercased())").prefix(16))
  }
}

/// The tokens of a new session.
struct SessionTokens {
  let access: String
  let refresh: String

  init(_ account: Account, in state: inout MockState) throws(MockFailure) {
    let session = state.auth.startSession(of: account)
    access = try account.accessToken(in: session, &state)
    refresh = try RefreshToken(session: session, expiresAt: state.now + RefreshToken.lifetime).text(state.auth.key)
  }
}

extension Account {
  func accessToken(in session: SessionID, _ state: inout MockState) throws(MockFailure) -> String {
    let id = state.auth.makeTokenID()
    return try AccessTokenClaims(session: session, id: id, email: email, username: username, issuedAt: state.now)
      .token(state.auth.key)
  }
}

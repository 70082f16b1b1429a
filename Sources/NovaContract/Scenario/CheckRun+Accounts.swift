import NovaAuth
import NovaCore

extension CheckRun {
  /// Opens two accounts that everything else is done with, so that nobody else's things are touched.
  mutating func openAccounts() async throws {
    guard !isReadOnly else { return }
    let name = "nova_contract_" + check.makeID().filter(\.isHexDigit).suffix(10)
    facts.account = try await register(name + "_a")
    facts.otherAccount = try await register(name + "_b")
    guard let account = facts.account else {
      let reason = "no account could be opened for it"
      recorder.skipWrites(reason)
      return skip([AuthRPC.login.descriptor, AuthRPC.refresh.descriptor, AuthRPC.logout.descriptor], reason)
    }
    facts.learn(users: [account.id] + [facts.otherAccount?.id ?? ""])
    try await refused(
      AuthRPC.register, RegisterRequest(email: account.email, username: name + "_c", password: account.password),
      "an e-mail address that is taken", Refusal(codes: [.conflict], statuses: [409], accepted: .breaking))
    try await logIn(account)
  }

  private mutating func register(_ name: String) async throws -> Facts.Account? {
    var account = Facts.Account(
      email: "\(name.replacing("_", with: "-"))@example.com", username: name, password: "Nova-\(check.makeID())")
    recorder.hide(account.password)
    let request = RegisterRequest(email: account.email, username: account.username, password: account.password)
    let answer = try await valid(AuthRPC.register, request, "a new account")
    guard let answer, !answer.userId.isEmpty else { return nil }
    recorder.leftBehind.append("account \(name)")
    account.id = answer.userId
    keep(answer.token, answer.refreshToken)
    return account
  }

  private mutating func logIn(_ account: Facts.Account) async throws {
    let login = try await valid(
      AuthRPC.login, LoginRequest(email: account.email, password: account.password), "the new account")
    if let login, !login.token.isEmpty {
      keep(login.token, login.refreshToken)
      ownToken = try? AccessToken(login.token)
      facts.account?.refreshToken = login.refreshToken
    }
    try await refused(
      AuthRPC.login, LoginRequest(email: account.email, password: "wrong-\(account.password)"), "a wrong password",
      .unauthorized)
    guard let refresh = facts.account?.refreshToken, !refresh.isEmpty else {
      return skip(AuthRPC.refresh, "the account has no session: its e-mail address must be confirmed first")
    }
    let answer = try await valid(AuthRPC.refresh, RefreshRequest(refreshToken: refresh), "the new session")
    try await refused(
      AuthRPC.refresh, RefreshRequest(refreshToken: "nova-contract-no-token"), "a token that is none", .unauthorized)
    guard let answer, !answer.token.isEmpty else { return }
    keep(answer.token, answer.refreshToken)
    ownToken = try? AccessToken(answer.token)
    if !answer.refreshToken.isEmpty { facts.account?.refreshToken = answer.refreshToken }
  }

  private mutating func keep(_ secrets: String...) { secrets.forEach { recorder.hide($0) } }

  /// Asks whose token it is; without one, whether it is seen to be none.
  mutating func findOutWhoIsSignedIn() async throws {
    let token = try await token()
    if let token { recorder.hide(token.secretValue) }
    let request = VerifyTokenRequest(token: token?.secretValue ?? "nova-contract-no-token")
    let answer = try await valid(AuthRPC.verifyToken, request, token == nil ? "no token" : "the token")
    if let user = check.options.user {
      facts.signedIn = user
    } else if let answer, answer.isValid, !answer.userId.isEmpty {
      facts.signedIn = answer.userId
    }
    facts.learn(users: [facts.signedIn ?? ""])
  }

  /// Ends the session of the account that the check opened. Accounts themselves cannot be closed.
  mutating func endSession() async throws {
    guard let token = facts.account?.refreshToken, !token.isEmpty else {
      return skip(AuthRPC.logout, "there is no session to end")
    }
    try await valid(AuthRPC.logout, LogoutRequest(refreshToken: token), "the new session")
    ownToken = nil
  }
}

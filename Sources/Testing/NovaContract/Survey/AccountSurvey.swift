import NovaAuth
import NovaCore
import NovaUsers

extension SurveyRun {
  mutating func checkAccounts() async throws {
    try await registerAccounts()
    try await findSignedInUser()
    try await findUsers()
    // Listing requires only the id of the token's user, and returns it.
    if discovered.me == nil, hasTokens { try await checkCapture() }
  }

  /// Registers two accounts to act as, so that other people's data is left alone.
  private mutating func registerAccounts() async throws {
    guard !isReadOnly else { return }
    let name = "nova_contract_" + makeID().filter(\.isHexDigit).suffix(10)
    discovered.account = try await register(name + "_a")
    discovered.otherAccount = try await register(name + "_b")
    guard let account = discovered.account else {
      let reason = "no account could be registered"
      calls.report.reasonForWrites = reason
      return skip(AuthRPC.login, AuthRPC.refresh, AuthRPC.logout, because: reason)
    }
    discovered.add(users: [account.id] + [discovered.otherAccount?.id ?? ""])
    try await refused(
      AuthRPC.register, .init(email: account.email, username: name + "_c", password: account.password),
      as: "an e-mail address that is taken", with: .conflict)
    try await logIn(account)
  }

  mutating func register(_ name: String) async throws -> DiscoveredState.Account? {
    var account = DiscoveredState.Account(
      email: "\(name.replacing("_", with: "-"))@example.com", username: name, password: "Nova-\(makeID())")
    hide(account.password)
    let request = RegisterRequest(email: account.email, username: account.username, password: account.password)
    let answer = try await valid(AuthRPC.register, request, as: "a new account")
    guard let answer, !answer.userId.isEmpty else { return nil }
    leaveBehind("account \(name)")
    account.id = answer.userId
    hide(answer.token, answer.refreshToken)
    account.token = try? AccessToken(answer.token)
    return account
  }

  private mutating func logIn(_ account: DiscoveredState.Account) async throws {
    let login = try await valid(
      AuthRPC.login, .init(email: account.email, password: account.password), as: "the new account")
    if let login, !login.token.isEmpty {
      hide(login.token, login.refreshToken)
      use(try? AccessToken(login.token))
      discovered.account?.refreshToken = login.refreshToken
    }
    try await refused(
      AuthRPC.login, .init(email: account.email, password: "wrong-\(account.password)"), as: "a wrong password",
      with: .unauthorized)
    guard let refresh = discovered.account?.refreshToken, !refresh.isEmpty else {
      return skip(AuthRPC.refresh, because: "the account has no session: its e-mail address must be confirmed first")
    }
    let answer = try await valid(AuthRPC.refresh, .init(refreshToken: refresh), as: "the new session")
    try await refused(
      AuthRPC.refresh, .init(refreshToken: DiscoveredState.malformedToken), as: "a token that is none",
      with: .unauthorized)
    guard let answer, !answer.token.isEmpty else { return }
    hide(answer.token, answer.refreshToken)
    use(try? AccessToken(answer.token))
    if !answer.refreshToken.isEmpty { discovered.account?.refreshToken = answer.refreshToken }
  }

  /// Asks for the token's user; without a token, whether a malformed one is refused.
  private mutating func findSignedInUser() async throws {
    let token = try await token()
    if let token { hide(token.secretValue) }
    let request = VerifyTokenRequest(token: token?.secretValue ?? DiscoveredState.malformedToken)
    let answer = try await valid(AuthRPC.verifyToken, request, as: token == nil ? "no token" : "the token")
    try await checkMalformedToken(token == nil ? answer : nil)
    if token != nil, let answer, answer.isValid, !answer.userId.isEmpty { discovered.caller = answer.userId }
    if let user = requestedUser {
      discovered.signedIn = user
    } else if let answer, answer.isValid, !answer.userId.isEmpty {
      discovered.signedIn = answer.userId
    }
    discovered.add(users: [discovered.signedIn ?? ""])
  }

  /// Checks that the gateway does not accept text that is not a token.
  ///
  /// - Parameter answer: the answer about it; nil to ask for it.
  private mutating func checkMalformedToken(_ answer: VerifyTokenResponse?) async throws {
    let name = "a token that is none"
    var answer = answer
    if answer == nil, !isForFixtures {
      answer = try await valid(AuthRPC.verifyToken, .init(token: DiscoveredState.malformedToken), as: name)
    }
    guard answer?.isValid == true else { return }
    reportLast(
      Finding(.accepted, .breaking, at: "is_valid", expected: "false: it is no token", found: "true"),
      of: AuthRPC.verifyToken.descriptor, as: name)
  }

  /// Deletes what was created, and ends the session of the account; accounts cannot be deleted.
  mutating func logOut() async throws {
    try await deletePost()
    // The session's token is worthless after its end.
    await cleanUp()
    guard let token = discovered.account?.refreshToken, !token.isEmpty else {
      return skip(AuthRPC.logout, because: "there is no session to end")
    }
    try await valid(AuthRPC.logout, .init(refreshToken: token), as: "the new session")
    use(nil)
  }

  /// Searches for users that exist on the server.
  private mutating func findUsers() async throws {
    for query in ["a", "nova", "e", "user"] {
      guard
        let found = try await valid(UserRPC.searchUsers, .init(query: query, limit: 5), as: "\"\(query)\"")
      else { return }
      discovered.add(users: found.profiles.map(\.id))
      if found.profiles.count > 1 { return }
    }
  }

  mutating func checkUsers(_ me: String) async throws {
    try await valid(AuthRPC.getUser, .init(userId: me), as: "a user")
    try await absent(AuthRPC.getUser, .init(userId: unknownID), as: "an unknown user")
    for user in discovered.users(from: me, others: 3) {
      try await valid(UserRPC.getUserProfile, .init(userId: user.id), as: user.name)
    }
    try await absent(UserRPC.getUserProfile, .init(userId: unknownID), as: "an unknown user")
    let ids = Array(discovered.users.prefix(3)) + [unknownID]
    try await validBatch(UserRPC.getUserProfilesByIds, .init(userIds: ids), ids: ids, as: "\(ids.count) users") {
      $0.profiles.map(\.id)
    } exists: { survey, id in
      try await survey.prepare(UserRPC.getUserProfile, .init(userId: id), as: "a user")?.profile?.id == id
    }
    if let other = discovered.somebodyElse {
      try await valid(UserRPC.checkUserRelationship, .init(followerId: me, followeeId: other), as: "two users")
    } else {
      skip(UserRPC.checkUserRelationship, because: "only one user was found")
    }
    try await checkSettings(me)
  }

  private mutating func checkSettings(_ me: String) async throws {
    try await valid(UserRPC.getUserSettings, .init(userId: me), as: "a user")
    guard let account = writer else { return }
    try await valid(
      UserRPC.updateUserProfile,
      .init(userId: account.id, displayName: "Nova Contract", bio: "A check of the contract."), as: "a name and a text")
    try await valid(
      UserRPC.updateUserSettings, .init(userId: account.id, language: "en", darkMode: true), as: "two settings")
  }
}

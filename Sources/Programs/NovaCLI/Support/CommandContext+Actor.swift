import NovaSDK

extension CommandContext {
  /// Returns the ID of the acting user.
  ///
  /// - Parameter actor: the user whom the command line names; nil for the signed-in user.
  /// - Throws: ``Failure`` if the command line names no user and no user is signed in.
  func id(of actor: UserID?) async throws -> String {
    if let actor { return try await id(ofUser: actor.text) }
    guard let user = try await signedInUser() else {
      if hasSessionEnded { throw sessionEnded }
      throw Failure("missing --as: nobody is signed in at \(place)", hint: signInHint, .usage)
    }
    return user.id
  }

  /// Makes sure that the account of the token or session is the one that `--as` names, before a call whose request names
  /// no user.
  func check(_ account: AccountOptions) async throws {
    guard let named = account.user?.text else { return }
    let wanted = try await id(ofUser: named)
    let user = try await signedInUser()
    guard !(user?.id).hasSameBytes(as: wanted) else { return }
    let reason = user.map { "\"\($0.id.printable(to: 100))\" is signed in" } ?? "nobody is signed in at \(place)"
    throw Failure(
      "cannot act as \"\(wanted.printable(to: 100))\": \(reason)",
      hint:
        "The server takes the account of this call from the token. Sign in with `\(configuration.signInCommand())`.",
      .notAllowed)
  }

  /// Requires a signed-in user, who must be the account that `--as` names, before a call that depends on the token alone.
  /// The mock backend needs no token.
  ///
  /// - Throws: ``Failure``; nothing was sent.
  func requireSignIn(_ account: AccountOptions) async throws {
    try await check(account)
    if configuration.usesMockData || configuration.token != nil || (try? nova.sessions) != nil { return }
    throw notSignedIn
  }

  /// The failure of a command that requires a signed-in user.
  var notSignedIn: Failure {
    if hasSessionEnded { return sessionEnded }
    return Failure("not signed in at \(place)", hint: "Sign in with `\(configuration.signInCommand())`.", .notAllowed)
  }

  /// Whether nobody is signed in because the gateway has ended the session.
  private var hasSessionEnded: Bool { configuration.token == nil && SessionFile.hasEnded(configuration) }

  private var sessionEnded: Failure {
    Failure(
      "the session at \(place) has ended: the server no longer accepts it",
      hint: "Sign in again with `\(configuration.signInCommand())`.", .notAllowed)
  }

  /// Returns the owner of the token in NOVA_TOKEN, or else the user of the session; nil if no user is signed in.
  func signedInUser() async throws -> User? {
    let user: User?
    if let token = configuration.token {
      user = try await owner(of: token)
    } else {
      user = try await sessionUser()
    }
    // It becomes part of requests.
    if let user, EntityID(argument: user.id) == nil {
      throw Failure("invalid response: the server returned no valid ID of the signed-in user", .badData)
    }
    // What names this user is sent with no other user's session. Of a token, only the gateway knows the user.
    if let user, configuration.token == nil { try options.caller?.admit(user: user.id) }
    return user
  }

  private func sessionUser() async throws -> User? {
    guard let sessions = try? nova.sessions else { return nil }
    guard stored != nil else { return try await sessions.session()?.user }
    // Without refreshing it, which needs the gateway.
    _ = try await sessions.currentUser()
    return sessions.current?.user
  }

  private func owner(of token: AccessToken) async throws -> User {
    if configuration.isOffline, stored != nil {
      throw Failure(
        "cannot find out offline whose token is set", hint: "Name the user: --as <user-id>, or the first argument.",
        .noConnection)
    }
    let answer = try await auth.verifyToken(token: token.secretValue)
    guard answer.isValid, !answer.isRevoked else {
      throw Failure(
        "invalid token: expired, or issued by another server",
        hint: configuration.signInAdvice, .notAllowed)
    }
    return User(id: answer.userId, email: answer.email, username: answer.username, isActive: true)
  }

  private var signInHint: String {
    configuration.usesMockData
      ? """
      Add --as <user-id>, such as --as mock-user-id, or sign in with \
      `\(configuration.signInCommand("bruce@nova.social"))`; the password is mock-password.
      """
      : "Add --as <user-id>, or sign in with `\(configuration.signInCommand())`."
  }
}

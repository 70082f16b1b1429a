import NovaAuth
import NovaCore
import NovaUsers

extension MockHandlers {
  mutating func addAuth() {
    on(AuthRPC.register) { request, state in
      let account = try state.register(request)
      guard account.isEmailConfirmed else { return .init(userId: account.userID) }
      let tokens = try SessionTokens(account, in: &state)
      return .init(
        userId: account.userID, token: tokens.access, refreshToken: tokens.refresh,
        expiresIn: AccessTokenClaims.lifetime)
    }
    on(AuthRPC.login) { request, state in
      try require(request.email, "email")
      try require(request.password, "password")
      let account = try state.logIn(request.email, request.password)
      let tokens = try SessionTokens(account, in: &state)
      return .init(
        userId: account.userID, token: tokens.access, refreshToken: tokens.refresh,
        expiresIn: AccessTokenClaims.lifetime)
    }
    on(AuthRPC.getUser) { .init(user: try $1.user($0.userId)) }
    on(AuthRPC.refresh) { request, state in
      try require(request.refreshToken, "refresh_token")
      guard let token = try RefreshToken(request.refreshToken, state.auth.key), state.now < token.expiresAt,
        !state.auth.isRevoked(token.session), let account = state.auth.account(token.session.user)
      else { throw MockFailure(.unauthenticated, "the refresh token is expired, revoked or unknown") }
      // The refresh token stays valid, so the response has no new one.
      return .init(
        token: try account.accessToken(in: token.session, &state), expiresIn: AccessTokenClaims.lifetime)
    }
    on(AuthRPC.logout) { request, state in
      try require(request.refreshToken, "refresh_token")
      // A malformed token has no session to close, so logging out succeeds.
      if let token = try RefreshToken(request.refreshToken, state.auth.key) {
        state.auth.revoke(token.session)
        state.effects.revokedUsers.append(token.session.user)
      }
      return .init(success: true)
    }
    on(AuthRPC.verifyToken) { request, state in
      guard let claims = try AccessTokenClaims(request.token, state.auth.key) else { return VerifyTokenResponse() }
      return .init(
        isValid: state.isValid(claims), userId: claims.session.user, email: claims.email, username: claims.username,
        expiresAt: claims.expiresAt, isRevoked: state.auth.isRevoked(claims.session))
    }
  }
}

extension MockState {
  /// Whether a token with these claims is valid now.
  func isValid(_ claims: AccessTokenClaims) -> Bool {
    claims.isCurrent(at: now) && !auth.isRevoked(claims.session) && auth.account(claims.session.user) != nil
  }

  fileprivate mutating func logIn(_ email: String, _ password: String) throws(MockFailure) -> Account {
    guard var account = auth.account(email: email) else { throw Self.wrongPassword }
    guard !account.isLocked else {
      throw MockFailure(
        .permissionDenied, "the account is locked after too many wrong passwords", reason: "ACCOUNT_LOCKED")
    }
    let isRight = account.password.matches(try passwordHash(password, email))
    account.wrongPasswords = isRight ? 0 : account.wrongPasswords + 1
    auth.set(account)
    guard isRight else { throw Self.wrongPassword }
    guard account.isEmailConfirmed else {
      throw MockFailure(
        .permissionDenied, "the account waits for its e-mail address to be confirmed", reason: "EMAIL_NOT_CONFIRMED")
    }
    return account
  }

  /// Also used for an unknown address, so that the response does not reveal who has an account.
  private static let wrongPassword = MockFailure(.unauthenticated, "the e-mail address or the password is wrong")

  /// The account of a user. Users of a data set who cannot log in also have one, without an address.
  fileprivate func user(_ id: String) throws(MockFailure) -> User {
    // When the user joined is in the profile, too.
    let showsTime = showsProfile(of: id, to: viewer)
    if let account = auth.account(id) {
      return User(
        id: id, email: mayAct(as: id) ? account.email : "", username: account.username,
        createdAt: showsTime ? account.createdAt : 0, isActive: account.isEmailConfirmed && !account.isLocked)
    }
    guard let profile = users.profile(id) else { throw .missing("user", id) }
    return User(id: id, username: profile.username, createdAt: showsTime ? profile.createdAt : 0, isActive: true)
  }
}

package import NovaCore

// Not in the protocol, because fakes have no base URL and no dates of responses.
extension AuthService {
  /// Opens an account and a session with it.
  ///
  /// - Parameters:
  ///   - email: the e-mail address, which can have one account.
  ///   - username: 3 to 32 of `A-Z a-z 0-9 _`.
  ///   - password: at least 8 characters, at most 1,024 bytes.
  /// - Throws: ``AuthError`` for what the user can fix, if possible before anything is sent; with the reason
  ///   `confirmationPending` if the account was opened, but its e-mail address must be confirmed first. Otherwise
  ///   ``APIError``.
  public func signUp(email: String, username: String, password: String) async throws -> Session {
    try await openedSignUp(email: email, username: username, password: password, clock: ContinuousClock()).session
  }

  /// Opens a session.
  ///
  /// The user's details come from a second call, GetUser. If that fails, the session is valid, but its user has only an
  /// ID and the e-mail address.
  ///
  /// - Throws: ``AuthError`` for what the user can fix, otherwise ``APIError``.
  public func signIn(email: String, password: String) async throws -> Session {
    try await openedSignIn(email: email, password: password, clock: ContinuousClock()).session
  }

  /// Closes a session at the server; succeeds if it is closed already. The call carries the session's own access token.
  ///
  /// - Throws: ``APIError``; the tokens may then still be valid.
  public func signOut(_ session: Session) async throws {
    try requireSafe("a token")
    try await authorized(session.accessToken).logout(refreshToken: session.refreshToken.secretValue)
  }

  func openedSignUp(
    email: String, username: String, password: String, clock: any CallClock,
    until deadline: ContinuousClock.Instant? = nil
  ) async throws -> OpenedSession {
    let answer = try await registered(
      RegisterRequest(email: email, username: username, password: password), clock: clock, until: deadline)
    guard !answer.value.token.isEmpty else {
      throw AuthError(AuthError.confirmationPending, .accountCreated)
    }
    let grant = try Grant(answer, clock: clock)
    // GetUser would add nothing.
    let user = User(
      id: answer.value.userId, email: email, username: username, createdAt: grant.now, isActive: true)
    return OpenedSession(session: grant.session(of: user), reading: grant.reading)
  }

  /// Opens an account. If the response has no session, the e-mail address must be confirmed first.
  ///
  /// - Throws: ``AuthError`` for what the user can fix, otherwise ``APIError``.
  package func registered(
    _ request: RegisterRequest, clock: any CallClock = ContinuousClock(), until deadline: ContinuousClock.Instant? = nil
  ) async throws -> APIResponse<RegisterResponse> {
    try Credentials.requireNewEmail(request.email)
    try Credentials.requireUsername(request.username)
    try Credentials.requireNewPassword(request.password)
    try requireSafe("a password")
    return try await translated(AuthError.ofRegistration) {
      try await client.respond(AuthRPC.register, request, options: ending(at: deadline, clock).options)
    }
  }

  func openedSignIn(
    email: String, password: String, clock: any CallClock, until deadline: ContinuousClock.Instant? = nil
  ) async throws -> OpenedSession {
    try Credentials.requireEmail(email)
    if password.isEmpty { throw AuthError(AuthError.wrongCredentials, .emptyPassword) }
    try requireSafe("a password")
    let request = LoginRequest(email: email, password: password)
    let answer = try await translated(AuthError.ofLogin) {
      try await client.respond(AuthRPC.login, request, options: ending(at: deadline, clock).options)
    }
    let grant = try Grant(answer, clock: clock)
    let user = await ending(at: deadline, clock).user(answer.value.userId, email: email, with: grant.accessToken)
    return OpenedSession(session: grant.session(of: user), reading: grant.reading)
  }

  /// Returns the account, or its ID and e-mail address if the call fails.
  private func user(_ id: String, email: String, with token: AccessToken) async -> User {
    let service = authorized(token).with { $0.timeout = min(options.timeout ?? .seconds(10), .seconds(10)) }
    var user = (try? await service.getUser(userId: id)) ?? User(id: id, isActive: true)
    if user.id.isEmpty { user.id = id }
    if user.email.isEmpty { user.email = email }
    return user
  }

  /// Returns a copy whose calls carry `token`.
  private func authorized(_ token: AccessToken) -> AuthService {
    var copy = self
    copy.options.token = token
    // An idempotency key is for one call only.
    copy.options.idempotencyKey = nil
    return copy
  }

  func requireSafe(_ what: String) throws(APIError) {
    try CredentialSafety.requireSafe(client.configuration.baseURL(for: AuthRPC.login.descriptor.service), for: what)
  }

  private func translated<Value>(
    _ translate: (APIError) -> AuthError?, _ call: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await call()
    } catch let error as APIError {
      if let refusal = translate(error) { throw refusal }
      throw error.notOfService("signing in")
    }
  }
}

/// A session, and the time of the server's clock when it began; without it, the session expires by the local clock.
struct OpenedSession: Sendable {
  let session: Session
  let reading: ClockReading?
}

/// A response that opens a session.
private protocol TokenResponse {
  var token: String { get }
  var refreshToken: String { get }
  var expiresIn: Int64 { get }
}

extension LoginResponse: TokenResponse {}
extension RegisterResponse: TokenResponse {}

/// The validated tokens of a response.
private struct Grant {
  let accessToken: AccessToken
  let refreshToken: RefreshToken
  let expiresIn: Int64
  /// The response's `Date`.
  let reading: ClockReading?
  /// The server's time, or else the local time.
  let now: Int64

  init(_ answer: APIResponse<some TokenResponse>, clock: any CallClock) throws(APIError) {
    let tokens = answer.value
    guard let accessToken = try? AccessToken(tokens.token), let refreshToken = RefreshToken(tokens.refreshToken) else {
      throw APIError(
        .invalidResponse, "expected an access token and a refresh token; at least one is missing or malformed",
        requestID: answer.report.requestID, httpStatus: answer.status, attempts: answer.report.attempts)
    }
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    expiresIn = AccessLifetime.bounded(tokens.expiresIn)
    let time = clock.unixTime
    reading = ClockReading(answer.headers.serverTime, at: time)
    now = reading?.serverTime ?? Int64(time)
  }

  func session(of user: User) -> Session {
    Session(accessToken: accessToken, refreshToken: refreshToken, expiresAt: now + expiresIn, user: user)
  }
}

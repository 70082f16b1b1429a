import NovaCore

extension AuthServiceProtocol {
  /// Creates an account.
  ///
  /// - Parameters:
  ///   - username: 3 to 32 of `A-Z a-z 0-9 _`.
  ///   - password: at least 8 characters.
  /// - Returns: the tokens of a first session. If `token` is empty, there is no session yet, because the e-mail address
  ///   must be confirmed first.
  /// - Throws: ``APIError``; `conflict` if the e-mail address or the username is taken.
  public func register(email: String, username: String, password: String) async throws -> RegisterResponse {
    try await register(RegisterRequest(email: email, username: username, password: password))
  }

  /// Opens a session.
  ///
  /// - Throws: ``APIError``; `unauthorized` for a wrong password, `permissionDenied` if the account is locked.
  public func login(email: String, password: String) async throws -> LoginResponse {
    try await session(
      with: \.token, of: AuthRPC.login, for: LoginRequest(email: email, password: password), by: login(_:))
  }

  /// Requests a new access token. The response's `refreshToken` is empty if the old one stays valid.
  ///
  /// - Throws: ``APIError``; `unauthorized` if the refresh token is expired or revoked.
  public func refresh(refreshToken: String) async throws -> RefreshResponse {
    try await session(
      with: \.token, of: AuthRPC.refresh, for: RefreshRequest(refreshToken: refreshToken), by: refresh(_:))
  }

  /// Makes a call whose response must contain a token.
  private func session<Request, Response>(
    with token: KeyPath<Response, String>, of rpc: RPC<Request, Response>, for request: Request,
    by call: (Request) async throws -> Response
  ) async throws -> Response {
    let response = try await respond(rpc, request, by: call)
    guard response.value[keyPath: token].isEmpty else { return response.value }
    throw APIError(.invalidResponse, "the response contains no token", rpc: rpc.descriptor, response: response)
  }

  /// Ends a session; succeeds if it has ended already.
  ///
  /// - Throws: ``APIError``.
  public func logout(refreshToken: String) async throws {
    try await acknowledged(AuthRPC.logout, LogoutRequest(refreshToken: refreshToken), by: logout(_:))
  }

  /// Verifies a token. An invalid token is a result, not an error.
  ///
  /// - Throws: ``APIError``.
  public func verifyToken(token: String) async throws -> VerifyTokenResponse {
    try await verifyToken(VerifyTokenRequest(token: token))
  }

  /// Returns an account.
  ///
  /// - Throws: ``APIError``; `notFound` if the account does not exist.
  public func getUser(userId: String) async throws -> User {
    try await value(\.user, of: AuthRPC.getUser, for: GetUserRequest(userId: userId), by: getUser(_:))
  }
}

import NovaCore

extension AuthServiceProtocol {
  /// Makes an account.
  ///
  /// - Parameters:
  ///   - username: 3 to 32 of `A-Z a-z 0-9 _`.
  ///   - password: at least 8 characters.
  /// - Returns: the tokens of a first session; an empty `token` means that the account waits for confirmation by e-mail
  ///   and there is no session yet.
  /// - Throws: ``APIError``; `conflict` if the e-mail or the name is taken.
  public func register(email: String, username: String, password: String) async throws -> RegisterResponse {
    try await register(RegisterRequest(email: email, username: username, password: password))
  }

  /// Starts a session.
  ///
  /// - Throws: ``APIError``; `unauthorized` for a wrong password, `permissionDenied` when the account is locked.
  public func login(email: String, password: String) async throws -> LoginResponse {
    try await session(\.token, AuthRPC.login, LoginRequest(email: email, password: password), by: login(_:))
  }

  /// Gets a new access token. Its `refreshToken` is empty when the old one stays valid.
  ///
  /// - Throws: ``APIError``; `unauthorized` when the refresh token is expired or revoked.
  public func refresh(refreshToken: String) async throws -> RefreshResponse {
    try await session(\.token, AuthRPC.refresh, RefreshRequest(refreshToken: refreshToken), by: refresh(_:))
  }

  /// An answer that is worth nothing without its token.
  private func session<Request, Response>(
    _ token: KeyPath<Response, String>, _ rpc: RPC<Request, Response>, _ request: Request,
    by call: (Request) async throws -> Response
  ) async throws -> Response {
    let response = try await respond(rpc, request, by: call)
    guard response.value[keyPath: token].isEmpty else { return response.value }
    throw APIError(.invalidResponse, "the response has no token", rpc: rpc.descriptor, response: response)
  }

  /// Ends a session; succeeds if it is over already.
  ///
  /// - Throws: ``APIError``.
  public func logout(refreshToken: String) async throws {
    try await acknowledged(AuthRPC.logout, LogoutRequest(refreshToken: refreshToken), by: logout(_:))
  }

  /// What the server says about a token; an invalid one is an answer, not an error.
  ///
  /// - Throws: ``APIError``.
  public func verifyToken(token: String) async throws -> VerifyTokenResponse {
    try await verifyToken(VerifyTokenRequest(token: token))
  }

  /// An account.
  ///
  /// - Throws: ``APIError``; `notFound` if there is no such account.
  public func getUser(userId: String) async throws -> User {
    try await value(\.user, of: AuthRPC.getUser, for: GetUserRequest(userId: userId), by: getUser(_:))
  }
}

import NovaAuth
public import NovaCore
import NovaGraph

/// Calls of a user who signs in, verifies and refreshes the token, follows another user and themselves, and signs out.
public struct SignInScenario {
  public static let password = "mock-password"
  public private(set) var userID = ""
  /// The secrets that were sent and received.
  public private(set) var secrets: [String] = [password]

  public static func run(
    _ transport: any HTTPTransport, _ middlewares: [any Middleware] = []
  ) async throws -> SignInScenario {
    var run = SignInScenario()
    let client = try APIClient.test(transport, middlewares: middlewares)
    let auth = AuthService(client: client)
    let login = try await auth.login(LoginRequest(email: "bruce@nova.social", password: password))
    run.userID = login.userId
    run.secrets += [login.token, login.refreshToken]
    client.setAuthToken(login.token)
    _ = try await auth.verifyToken(VerifyTokenRequest(token: login.token))
    let graph = GraphService(client: client)
    _ = try await graph.createFollow(CreateFollowRequest(followerId: login.userId, followeeId: "user-0001"))
    _ = await apiError {
      try await graph.respond(
        GraphRPC.createFollow, CreateFollowRequest(followerId: login.userId, followeeId: login.userId))
    }
    let refreshed = try await auth.refresh(RefreshRequest(refreshToken: login.refreshToken))
    run.secrets += [refreshed.token, refreshed.refreshToken].filter { !$0.isEmpty }
    // None comes back while the old one stays good.
    let last = refreshed.refreshToken.isEmpty ? login.refreshToken : refreshed.refreshToken
    _ = try await auth.logout(LogoutRequest(refreshToken: last))
    return run
  }
}

extension GraphService {
  fileprivate func respond<Request, Response>(_ rpc: RPC<Request, Response>, _ request: Request) async throws
    -> Response
  {
    try await client.call(rpc, request, options: CallOptions(checksArguments: false))
  }
}

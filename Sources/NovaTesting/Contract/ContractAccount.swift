import NovaAuth
public import NovaCore

/// An account that a scenario acts with.
public struct ContractAccount: Sendable {
  /// The user's id.
  public let userID: String
  /// What the user is found by.
  public let username: String
  /// The address that signs in.
  public let email: String
  /// When the account was made, by the server's clock, in Unix seconds: times of a scenario count from here.
  public let createdAt: Int64
  let password: String
  let token: AccessToken
  let refreshToken: RefreshToken

  /// Creates an account that is known to the server.
  public init(
    userID: String, username: String, email: String, createdAt: Int64, password: String, token: AccessToken,
    refreshToken: RefreshToken
  ) {
    self.userID = userID
    self.username = username
    self.email = email
    self.createdAt = createdAt
    self.password = password
    self.token = token
    self.refreshToken = refreshToken
  }

  /// Signs up, with an address and a password made for this.
  static func registered(_ username: String, _ client: APIClient) async throws -> ContractAccount {
    // As for every password: not where others could read it.
    try CredentialSafety.requireSafe(
      client.configuration.baseURL(for: AuthRPC.register.descriptor.service), for: "a password")
    let email = "\(username)@contract.example"
    let password = "pw-\(RandomText.letters(24))"
    let auth = AuthService(client: client)
    let answer = try await auth.register(email: email, username: username, password: password)
    guard let token = try? AccessToken(answer.token), let refreshToken = RefreshToken(answer.refreshToken) else {
      throw APIError(
        .failedPrecondition,
        "registering gave no session: the server wants the address confirmed. Give ContractSuite accounts of your own.",
        rpc: AuthRPC.register.descriptor.id)
    }
    let user = try await auth.with(token).getUser(userId: answer.userId)
    return ContractAccount(
      userID: answer.userId, username: username, email: email, createdAt: user.createdAt, password: password,
      token: token, refreshToken: refreshToken)
  }
}

extension NovaService {
  /// The service in the name of a token's owner.
  func with(_ token: AccessToken?) -> Self {
    var copy = self
    copy.options.headers["Authorization"] = token.map { "Bearer \($0.secretValue)" }
    return copy
  }
}

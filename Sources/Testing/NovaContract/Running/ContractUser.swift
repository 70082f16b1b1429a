import NovaAuth
public import NovaCore
// Exported, because the services of a user are members of its protocol.
@_exported public import NovaRegistry

/// A user of a scenario, with services that send the user's token.
///
/// ```swift
/// let ada = try await run.user("ada")
/// try await ada.social.createLike(postId: post.id, userId: ada.id)
/// ```
public struct ContractUser: NovaServices, Sendable {
  /// The account.
  public let account: ContractAccount
  /// The client that makes the calls.
  public let client: APIClient
  /// The options of the calls, with the user's token.
  public let options: CallOptions

  /// The user's id.
  public var id: String { account.userID }

  init(_ account: ContractAccount, _ client: APIClient, options: CallOptions? = nil) {
    self.account = account
    self.client = client
    self.options = options ?? CallOptions(headers: ["Authorization": "Bearer \(account.token.secretValue)"])
  }

  /// The user with services that leave the validation of arguments to the server.
  public var unchecked: ContractUser { changing { $0.checksArguments = false } }

  /// The user with another token.
  func with(token: String) -> ContractUser { changing { $0.headers["Authorization"] = "Bearer \(token)" } }

  private func changing(_ change: (inout CallOptions) -> Void) -> ContractUser {
    var options = options
    change(&options)
    return ContractUser(account, client, options: options)
  }
}

/// An account that a scenario uses.
public struct ContractAccount: Sendable {
  /// The user's id.
  public let userID: String
  /// The username.
  public let username: String
  /// The e-mail address to log in with.
  public let email: String
  /// When the account was created, by the server's clock, in Unix seconds: a scenario's times are relative to it.
  public let createdAt: Int64
  let password: String
  let token: AccessToken
  let refreshToken: RefreshToken

  /// Creates an account that exists on the server.
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

  /// Registers a user with a random password.
  static func registered(_ username: String, _ client: APIClient) async throws -> ContractAccount {
    // Like every password: not over a connection that others can read.
    try CredentialSafety.requireSafe(
      client.configuration.baseURL(for: AuthRPC.register.descriptor.service), for: "a password")
    let email = "\(username)@contract.example"
    let password = "pw-\(RandomText.letters(24))"
    let auth = AuthService(client: client)
    let answer = try await auth.register(email: email, username: username, password: password)
    guard let token = try? AccessToken(answer.token), let refreshToken = RefreshToken(answer.refreshToken) else {
      throw APIError(
        .failedPrecondition,
        "registration returned no session", reason: "the server requires a confirmed e-mail address",
        advice: "pass accounts to ContractSuite",
        rpc: AuthRPC.register.descriptor.id)
    }
    let signedIn = auth.with { $0.headers["Authorization"] = "Bearer \(token.secretValue)" }
    let user = try await signedIn.getUser(userId: answer.userId)
    return ContractAccount(
      userID: answer.userId, username: username, email: email, createdAt: user.createdAt, password: password,
      token: token, refreshToken: refreshToken)
  }
}

/// Random text for names that must be unique.
enum RandomText {
  /// Lower-case letters and digits.
  static func letters(_ count: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return letters(count, &generator)
  }

  /// The same text for the same seed.
  static func letters(_ count: Int, seed: UInt64) -> String {
    var generator = SeededGenerator(seed: seed)
    return letters(count, &generator)
  }

  private static func letters(_ count: Int, _ generator: inout some RandomNumberGenerator) -> String {
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<count).compactMap { _ in alphabet.randomElement(using: &generator) })
  }
}

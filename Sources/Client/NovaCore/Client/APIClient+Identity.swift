extension APIClient {
  /// Whose calls these are, found without asking the gateway, where the token provider can tell: the user of the session
  /// if the tokens come from one, otherwise the holder of the token, or no user.
  ///
  /// - Parameter options: the options of the calls, which can have a token of their own.
  /// - Throws: what the ``TokenProvider`` throws; ``APIError`` `failedPrecondition` if the token's user is unknown and the
  ///   system has no libcrypto.
  public func identity(for options: CallOptions = CallOptions()) async throws -> Identity {
    let identity = try await presentIdentity(for: options)
    // The calls of an operation have one caller, and what they store is stored under that caller.
    try options.caller?.admit(identity)
    return identity
  }

  private func presentIdentity(for options: CallOptions) async throws -> Identity {
    if let identity = try ownIdentity(in: options) { return identity }
    let gateway = gateway
    guard let tokens = options.tokens ?? runner.tokens else { return Identity(gateway: gateway, caller: .anonymous) }
    let identity = try await identity(of: tokens, at: gateway)
    // The mock mode has changed, so the user may be the mock's or the gateway's.
    return gateway == self.gateway ? identity : try await presentIdentity(for: options)
  }

  private func identity(of tokens: any TokenProvider, at gateway: String) async throws -> Identity {
    do {
      if let user = try await tokens.currentUser() { return Identity(gateway: gateway, caller: .user(user)) }
      if let token = tokens.availableToken { return try Identity(gateway: gateway, token: token) }
      // A session without a user has no token; to get one, it would call the gateway.
      let token = tokens is StoredToken ? nil : try await tokens.accessToken()
      return try Identity(gateway: gateway, token: token)
    } catch let error as APIError where error.code == .unauthorized {
      return Identity(gateway: gateway, caller: .anonymous)
    }
  }

  /// Whose calls these are, if that is known without waiting: the calls have a token, the client has one, or no token will
  /// come.
  ///
  /// - Parameter options: the options of the calls.
  /// - Returns: nil if the ``TokenProvider`` must be asked, see ``identity(for:)``.
  package func knownIdentity(for options: CallOptions) -> Identity? {
    let token = tokenInUse(for: options)
    // Only a client with stored tokens never gets another one.
    if token == nil, let tokens = options.tokens ?? runner.tokens, !(tokens is StoredToken) { return nil }
    return try? Identity(gateway: gateway, token: token)
  }
}

extension CallOptions {
  /// Only the options that give calls another caller than the client's: a token, a provider, or a header
  /// `Authorization`.
  package var credentials: CallOptions {
    var options = CallOptions()
    if let header = headers["Authorization"] { options.headers["Authorization"] = header }
    (options.token, options.tokens) = (token, tokens)
    return options
  }

  /// Whether calls have their own caller instead of the client's.
  package var haveCredentials: Bool { ownToken != nil || tokens != nil }

  /// The token of calls, if the options themselves have it. A header takes precedence.
  var ownToken: AccessToken? { headers.authorizationToken ?? token }
}

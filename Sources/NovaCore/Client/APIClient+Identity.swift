extension APIClient {
  /// Whose calls these are, found without asking the gateway, where the token provider can tell: the user of the session
  /// if the tokens come from one, otherwise the holder of the token, or nobody.
  ///
  /// - Parameter options: the options of the calls, which can have a token of their own.
  /// - Throws: what the ``TokenProvider`` throws; ``APIError`` `failedPrecondition` if the token's user is unknown and the
  ///   system has no libcrypto.
  public func identity(for options: CallOptions = CallOptions()) async throws -> Identity {
    let identity = try await presentIdentity(for: options)
    // The rest of an operation is its caller's or fails, and what it stores is under no other name.
    try options.caller?.admit(identity)
    return identity
  }

  private func presentIdentity(for options: CallOptions) async throws -> Identity {
    if let identity = try ownIdentity(in: options) { return identity }
    let gateway = gateway
    guard let tokens = options.tokens ?? runner.tokens else { return Identity(gateway: gateway, caller: .anonymous) }
    let identity = try await identity(of: tokens, at: gateway)
    // The mock mode has changed, and the user can be that of either.
    return gateway == self.gateway ? identity : try await presentIdentity(for: options)
  }

  private func identity(of tokens: any TokenProvider, at gateway: String) async throws -> Identity {
    do {
      if let user = try await tokens.currentUser() { return Identity(gateway: gateway, caller: .user(user)) }
      if let token = tokens.availableToken { return try Identity(gateway: gateway, token: token) }
      // A session without a user has no token; asking for one would ask the gateway.
      let token = tokens is StoredToken ? nil : try await tokens.accessToken()
      return try Identity(gateway: gateway, token: token)
    } catch let error as APIError where error.code == .unauthorized {
      return Identity(gateway: gateway, caller: .anonymous)
    }
  }

  /// Whose calls these are, if that is known without waiting: by a token of the calls, or one that is at hand, or because
  /// there is none.
  ///
  /// - Parameter options: the options of the calls.
  /// - Returns: nil if the ``TokenProvider`` must be asked, see ``identity(for:)``.
  package func knownIdentity(for options: CallOptions) -> Identity? {
    let token = tokenInUse(for: options)
    // Only a stored token is never to come.
    if token == nil, let tokens = options.tokens ?? runner.tokens, !(tokens is StoredToken) { return nil }
    return try? Identity(gateway: gateway, token: token)
  }
}

extension CallOptions {
  /// Only what makes calls those of another caller than the client's own: a token, a provider, or a header
  /// `Authorization`.
  package var credentials: CallOptions {
    var options = CallOptions()
    if let header = headers["Authorization"] { options.headers["Authorization"] = header }
    (options.token, options.tokens) = (token, tokens)
    return options
  }

  /// Whether calls have a caller of their own, instead of the client's.
  package var haveCredentials: Bool { ownToken != nil || tokens != nil }

  /// The token of calls, if the options themselves have it. A header takes precedence.
  var ownToken: AccessToken? { headers.authorizationToken ?? token }
}

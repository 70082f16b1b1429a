/// Sends the bearer token with the RPCs that require one: the same caller's for every attempt of a call.
final class Authorization: Sendable {
  let tokens: any TokenProvider
  let clock: any CallClock
  /// The tokens if they are at hand: then there is no wait to watch, which is most of what a call without a token costs.
  private let stored: StoredToken?

  init(tokens: any TokenProvider, clock: any CallClock) {
    self.tokens = tokens
    self.clock = clock
    stored = tokens as? StoredToken
  }

  /// Adds the token to a request, and returns whether it has.
  ///
  /// - Throws: ``APIError`` `unauthorized` if the token is another caller's than that of the call's earlier attempts.
  nonisolated(nonsending) func authorize(_ request: inout HTTPRequest, _ context: CallContext) async throws -> Bool {
    // A call's own Authorization header takes precedence.
    guard context.rpc.requiresAuthentication, context.isForGateway, request.headers["Authorization"] == nil,
      let token = try await token(context)
    else { return false }
    request.headers.set("Authorization", toChecked: token.authorization)
    return true
  }

  /// Reports the time of the gateway's clock.
  func noteTime(of response: HTTPResponse, _ context: CallContext) {
    // A token of the call, and a stored one, are not renewed in time, and have no use for it.
    if context.options.token != nil { return }
    let provider = context.options.tokens
    if provider == nil, stored != nil { return }
    if let time = response.headers.serverTime { (provider ?? tokens).serverTime(time) }
  }

  private nonisolated(nonsending) func token(_ context: CallContext) async throws -> AccessToken? {
    if let token = context.options.token {
      context.sent.record(token)
      return token
    }
    guard let provider = context.options.tokens else { return try await token(from: tokens, stored, context) }
    return try await token(from: provider, provider as? StoredToken, context)
  }

  private nonisolated(nonsending) func token(
    from tokens: any TokenProvider, _ stored: StoredToken?, _ context: CallContext
  ) async throws -> AccessToken? {
    let token =
      if let token = tokens.availableToken { token } else if let stored { try stored.token() } else {
        try await awaitedToken(from: tokens, context)
      }
    if context.operation == nil, context.sent.recordFirst(token) { return token }
    let admitted = try context.withCaller { caller in
      try caller.admit(token, mayBeRenewed: stored == nil, at: context.gateway)
    }
    context.sent.record(admitted)
    return admitted
  }

  private nonisolated(nonsending) func awaitedToken(
    from tokens: any TokenProvider, _ context: CallContext
  ) async throws -> AccessToken? {
    let timeUp = TransportError.deadlinePassed(
      waitingFor: "an access token (a refresh, or another process that uses the session, took too long)")
    return try await Race.run(until: context.deadline, clock, timeUp: timeUp) {
      // Before the token: another user can sign in during the wait for it. A user who cannot be found out has no token.
      if let user = try? await tokens.currentUser() {
        try context.withCaller { caller in try caller.admit(user: user) }
      }
      return try await tokens.accessToken()
    }
  }
}

extension HTTPOrigin {
  /// Throws if a token must not be sent there.
  package func requireProtection() throws(APIError) {
    guard protectsSecrets else {
      throw APIError(
        .insecureConnection,
        "a token is set, but \(self) is neither https nor this machine", sent: .nothing,
        advice: "use an https URL, or clear the token")
    }
  }
}

extension HTTPRequest {
  /// Throws if the request has a token, or another secret in a header, and its connection would not protect it, wherever
  /// the header comes from.
  func requireProtection() throws(APIError) {
    if url.origin.protectsSecrets { return }
    guard let secret = SecretRedactor.secretHeaders(self).first else { return }
    guard secret.name.lowercased() != "authorization" else { return try url.origin.requireProtection() }
    throw APIError(
      .insecureConnection,
      "the header \(secret.name.printable(to: 80)) is a secret, but \(url.origin) is neither https nor this machine",
      sent: .nothing, advice: "use an https URL, or leave the header out")
  }
}

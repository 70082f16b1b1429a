/// Sends the bearer token with the RPCs that require one, and only over connections that protect it.
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
  nonisolated(nonsending) func authorize(_ request: inout HTTPRequest, _ context: CallContext) async throws -> Bool {
    // A call's own Authorization header takes precedence.
    guard context.rpc.requiresAuthentication, context.isForGateway, request.headers["Authorization"] == nil,
      let token = try await token(context)
    else {
      context.sent.record(nil)
      return false
    }
    try request.url.origin.requireProtection()
    try await context.options.checkAccount?()
    context.sent.record(token)
    request.headers.set("Authorization", toChecked: token.authorization)
    return true
  }

  /// Reports the time of the gateway's clock.
  func noteTime(of response: HTTPResponse) {
    // A stored token is not renewed in time, and has no use for it.
    if stored == nil, let time = response.headers.serverTime { tokens.serverTime(time) }
  }

  private nonisolated(nonsending) func token(_ context: CallContext) async throws -> AccessToken? {
    if let token = tokens.availableToken { return token }
    if let stored { return try stored.token() }
    let timeUp = TransportError.deadlinePassed(
      waitingFor: "an access token (a refresh, or another process that uses the session, took too long)")
    return try await Race.run(until: context.deadline, clock, timeUp: timeUp) { [tokens] in
      try await tokens.accessToken()
    }
  }
}

extension HTTPOrigin {
  /// Throws if a token must not be sent there.
  package func requireProtection() throws(APIError) {
    guard protectsSecrets else {
      throw APIError(
        .insecureConnection,
        "a token is set, but \(self) is neither https nor this machine: nothing was sent. "
          + "Use an https URL, or clear the token.")
    }
  }
}

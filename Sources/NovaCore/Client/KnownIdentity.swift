extension APIClient {
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

extension APIClient {
  /// Whose calls these are, if that is known without waiting: by a token of the calls, or one that is at hand.
  ///
  /// - Parameter options: the options of the calls.
  /// - Returns: nil if the ``TokenProvider`` must be asked, see ``identity(for:)``.
  package func knownIdentity(for options: CallOptions) -> Identity? {
    let token =
      options.headers["Authorization"].map { AccessToken(header: $0) } ?? options.token
      ?? (options.tokens ?? runner.tokens)?.availableToken
    return token.flatMap { try? Identity(gateway: gateway, token: $0) }
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
  package var haveCredentials: Bool { token != nil || tokens != nil || headers["Authorization"] != nil }
}

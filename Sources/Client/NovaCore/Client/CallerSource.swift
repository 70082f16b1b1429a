/// Where calls get their token from. Known without waiting and without asking a server.
package enum CallerSource: Sendable, Hashable {
  /// From the client's tokens.
  case client
  /// From a ``TokenProvider`` of the options, an object.
  case provider(ObjectIdentifier)
  /// From a ``TokenProvider`` of the options that is a value, by its type: values cannot be compared.
  case providerValue(ObjectIdentifier)
  /// From the options, which have a token or an `Authorization` header. Their caller never changes.
  case caller(Identity.Caller)

  fileprivate init(_ tokens: any TokenProvider) {
    let id = ObjectIdentifier(objectOrTypeOf: tokens)
    self = type(of: tokens) is AnyObject.Type ? .provider(id) : .providerValue(id)
  }
}

extension ObjectIdentifier {
  /// Of an object, or of a value's type: values cannot be told apart.
  package init(objectOrTypeOf value: Any) {
    let type = type(of: value)
    self = type is AnyObject.Type ? ObjectIdentifier(value as AnyObject) : ObjectIdentifier(type)
  }
}

extension APIClient {
  /// Where calls with these options get their token from.
  ///
  /// - Throws: ``APIError`` `failedPrecondition` if the token's user is unknown and the system has no libcrypto.
  package func callerSource(of options: CallOptions) throws(APIError) -> CallerSource {
    if let identity = try ownIdentity(in: options) { return .caller(identity.caller) }
    return options.tokens.map { CallerSource($0) } ?? .client
  }

  /// Why calls with these options are no longer this caller's; nil if they are, or if only asking the gateway could tell.
  package func callerChange(from identity: Identity, with options: CallOptions) async -> APIError? {
    guard let isOwn = try? ownIdentity(in: options) != nil, !isOwn, let tokens = options.tokens ?? runner.tokens
    else { return nil }
    if let stored = tokens as? StoredToken {
      guard let token = try? stored.token(), let now = try? Identity(gateway: gateway, token: token) else {
        return identity.isAnonymous ? nil : .callerChanged(isSignedOut: true)
      }
      return now == identity ? nil : .callerChanged(isSignedOut: false)
    }
    let user: String? = if let user = try? await tokens.currentUser() { user } else { tokens.availableToken?.user }
    return user == nil || user == identity.user ? nil : .callerChanged(isSignedOut: false)
  }

  /// Calls `body` with the user's ID after each sign-out from the session that calls with these options get their tokens
  /// from, before the sign-out returns. Nothing for tokens without sessions.
  package func onSignOut(
    with options: CallOptions = CallOptions(), _ body: @escaping @Sendable (_ user: String) async -> Void
  ) {
    (options.tokens ?? runner.tokens)?.onSignOut(body)
  }

  /// Whose calls these are if the options themselves have the token.
  func ownIdentity(in options: CallOptions) throws(APIError) -> Identity? {
    if let token = options.ownToken { try Identity(gateway: gateway, token: token) } else { nil }
  }
}

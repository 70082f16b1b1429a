import NovaAuth
import NovaCore

extension MockState {
  /// The user whose access token a request carries; nil if it carries none.
  ///
  /// - Parameter acceptsRevoked: whether a token of a closed session will do.
  func caller(_ headers: HTTPHeaders, acceptsRevoked: Bool = false) throws(MockFailure) -> String? {
    guard let value = headers["Authorization"] else { return nil }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, String(parts[0]).equalsIgnoringASCIICase("Bearer"),
      let claims = try AccessTokenClaims(String(parts[1]), auth.key),
      isValid(claims) || acceptsRevoked && auth.isRevoked(claims.session) && now < claims.expiresAt
    else { throw MockFailure(.unauthenticated, "the access token is expired, revoked or not of this backend") }
    return claims.session.user
  }

  /// The same for an RPC; nil where it needs no token.
  ///
  /// Logging out is idempotent: the repetition comes with the token that the first one revoked.
  func caller(_ headers: HTTPHeaders, of rpc: RPCDescriptor) throws(MockFailure) -> String? {
    guard rpc.requiresAuthentication else { return nil }
    return try caller(headers, acceptsRevoked: rpc.id == AuthRPC.logout.descriptor.id)
  }

  /// Whether the caller may do what only `user` may do.
  func mayAct(as user: String) -> Bool { caller == nil || caller == user }

  /// Refuses a caller who is somebody else than `user`.
  func requireCaller(_ user: String) throws(MockFailure) {
    if !mayAct(as: user) { throw MockFailure(.permissionDenied, "the access token is not that of user \(user)") }
  }
}

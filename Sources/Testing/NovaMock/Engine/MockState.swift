import NovaAnnouncements
import NovaAuth
import NovaCore

/// The complete state of a backend. Each service has its own store; handlers combine several stores.
struct MockState: Sendable {
  var graph = GraphStore()
  var users = UserStore()
  var content = ContentStore()
  var social = SocialStore()
  var auth = AuthStore()
  var media = MediaStore()
  var capture = CaptureStore()
  var analytics = AnalyticsStore()
  var announcements: [Announcement] = []
  /// The owner of captures in requests without a token.
  var sampleUser = GuideDataSet.sampleID
  /// The responses for each `Idempotency-Key`.
  var idempotencyKeys = IdempotencyKeys()
  /// The current time in Unix seconds, set for each request.
  var now: Int64 = 0
  /// The seed of what is made up for new records.
  var seed: UInt64 = 1
  /// When the meanings of new captures are found, set for each request.
  var meanings = MockMeanings.off
  /// How the time derives from the system's.
  var clock = MockClock()
  /// The key derived from this request's password, see ``withoutPassword(_:)``.
  var passwordKey: [UInt8]?
  /// The maximum size of an uploaded file, in bytes, set for each request. Changes that were made stay possible.
  var mediaLimit = Int64.max
  /// Whether calls that require a token in the contract fail without one, set for each request.
  var requiresTokens = false
  /// The user of this request's access token; nil without one.
  var caller: String?
  /// What this request's change causes beyond the state.
  var effects = MockEffects()
}

extension MockState {
  /// Returns the user whose access token a request carries; nil if it carries none.
  ///
  /// - Parameter acceptsRevoked: whether a token of a closed session is accepted.
  func caller(_ headers: HTTPHeaders, acceptsRevoked: Bool = false) throws(MockFailure) -> String? {
    try claims(headers, acceptsRevoked: acceptsRevoked)?.session.user
  }

  /// Returns the claims of the access token that a request carries; nil if it carries none.
  func claims(_ headers: HTTPHeaders, acceptsRevoked: Bool = false) throws(MockFailure) -> AccessTokenClaims? {
    guard let value = headers["Authorization"] else { return nil }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, String(parts[0]).equalsIgnoringASCIICase("Bearer"),
      let claims = try AccessTokenClaims(String(parts[1]), auth.key)
    else { throw Self.invalidToken }
    if isValid(claims) || acceptsRevoked && auth.isRevoked(claims.session) && claims.isCurrent(at: now) {
      return claims
    }
    guard claims.isFuture(at: now) else { throw Self.invalidToken }
    let (issued, now) = (Timestamp(seconds: claims.issuedAt), Timestamp(seconds: now))
    throw MockFailure(
      .unauthenticated,
      "the access token is not valid yet: it was issued at \(issued), and the backend's clock shows \(now)")
  }

  private static let invalidToken = MockFailure(
    .unauthenticated, "the access token is expired, revoked or not of this backend")

  /// Returns the caller of an RPC; nil if the RPC requires no token, and for a missing token that is not required.
  ///
  /// Logging out is idempotent: a repeated call carries the token that the first call revoked.
  func caller(_ headers: HTTPHeaders, of rpc: RPCDescriptor) throws(MockFailure) -> String? {
    guard rpc.requiresAuthentication else { return nil }
    let caller = try caller(headers, acceptsRevoked: rpc.id == AuthRPC.logout.descriptor.id)
    if caller == nil, requiresTokens {
      throw MockFailure(.unauthenticated, "missing access token: \(rpc.id) requires one; sign in first")
    }
    return caller
  }

  /// Whether the caller has the permissions of `user`.
  func mayAct(as user: String) -> Bool { caller == nil || caller.hasSameBytes(as: user) }

  /// Throws unless the caller has the permissions of `user`.
  func requireCaller(_ user: String) throws(MockFailure) {
    if !mayAct(as: user) { throw .forbidden("the access token is not that of user \(user)") }
  }
}

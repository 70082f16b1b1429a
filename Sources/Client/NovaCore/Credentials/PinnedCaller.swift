/// Who makes a call, or the calls of one operation: whoever the first token belongs to. Later tokens must be the same
/// caller's.
///
/// Compares tokens as they are, so that calls need no fingerprints.
struct PinnedCaller: Sendable {
  private enum State {
    case unknown, nobody
    case user(String)
    /// A token whose user is unknown.
    case token(AccessToken)
    case identity(Identity)
  }

  private var state: State

  /// A caller that the first token decides.
  init() { state = .unknown }

  /// A caller that is known.
  init(_ identity: Identity) { state = .identity(identity) }

  /// Lets a token decide who the caller is.
  ///
  /// - Returns: false, and changes nothing, if that is known already.
  mutating func decide(by token: AccessToken?) -> Bool {
    guard case .unknown = state else { return false }
    state = if let token { Self.state(of: token) } else { .nobody }
    return true
  }

  /// Requires that a user, who is known before the token is, is the caller.
  mutating func admit(user: String) throws {
    switch state {
    case .unknown: state = .user(user)
    case .user(user): break
    case .identity(let identity) where identity.user == user: break
    default: throw APIError.callerChanged(isSignedOut: false)
    }
  }

  /// Requires that an identity is the caller's.
  mutating func admit(_ identity: Identity) throws {
    let isSame: Bool
    switch state {
    case .unknown:
      state = .identity(identity)
      return
    case .nobody: isSame = identity.isAnonymous
    case .user(let user): isSame = identity.user == user
    case .token(let token): isSame = try Identity(gateway: identity.gateway, token: token) == identity
    case .identity(let known): isSame = known == identity
    }
    if !isSame { throw APIError.callerChanged(isSignedOut: identity.isAnonymous) }
  }

  /// Requires that a token is the caller's.
  ///
  /// - Parameters:
  ///   - token: the token that is available now; nil if none is.
  ///   - mayBeRenewed: whether the provider renews tokens without naming their user. Another token may then be the same
  ///     user's, but need not be.
  /// - Returns: the token to send: the earlier one if the new one may be another user's.
  mutating func admit(
    _ token: AccessToken?, mayBeRenewed: Bool, at gateway: @autoclosure () -> String
  ) throws -> AccessToken? {
    switch state {
    case .unknown:
      _ = decide(by: token)
      return token
    case .nobody where token == nil: return nil
    case .user(let user):
      if let token, token.user == user { return token }
    case .token(let first):
      if let token, token.user == nil {
        if token == first { return token }
        if mayBeRenewed { return first }
      }
    case .identity(let identity):
      if try Identity(gateway: gateway(), token: token) == identity {
        // From now on, tokens are compared as they are, and renewed as within a call.
        state = if let token { Self.state(of: token) } else { .nobody }
        return token
      }
    case .nobody: break
    }
    throw APIError.callerChanged(isSignedOut: token == nil)
  }

  /// Requires that a token, with which the provider replaces a refused one, is the caller's.
  mutating func replace(by token: AccessToken) throws {
    let user: String? =
      switch state {
      case .user(let user): user
      case .identity(let identity): identity.user
      case .unknown, .nobody, .token: nil
      }
    guard token.user == user else { throw APIError.callerChanged(isSignedOut: false) }
    state = Self.state(of: token)
  }

  private static func state(of token: AccessToken) -> State {
    if let user = token.user { .user(user) } else { .token(token) }
  }
}

extension APIError {
  /// The error of a call that began for another caller than the one who is signed in now.
  package static func callerChanged(isSignedOut: Bool, rpc: String? = nil) -> APIError {
    APIError(
      .unauthorized,
      isSignedOut ? "signed out" : "the user changed",
      reason: isSignedOut
        ? "the user of this call has signed out since it began"
        : "another user has signed in since this call began; nothing was sent in the other user's name",
      sent: isSignedOut ? .nothingMore : .maybe,
      rpc: rpc)
  }
}

/// The caller of several calls that form one operation, such as the pages of a list.
package final class OperationCaller: Sendable {
  /// That of the operation that the current task is part of.
  @TaskLocal private static var current: OperationCaller?

  private struct State {
    var caller: PinnedCaller
    /// The client whose calls form the operation: the first that makes one.
    var client: ObjectIdentifier?
  }

  private let state: Locked<State>
  /// The gateway of a known caller: all calls of the operation go there.
  let gateway: String?

  /// A caller that the first call decides.
  package init() {
    state = Locked(State(caller: PinnedCaller()))
    gateway = nil
  }

  /// A caller that is known.
  package init(_ identity: Identity) {
    state = Locked(State(caller: PinnedCaller(identity)))
    gateway = identity.gateway
  }

  /// Requires that a user is the caller, who is decided by that if nothing has decided it before.
  ///
  /// - Throws: ``APIError`` `unauthorized` if it is another caller.
  package func admit(user: String) throws { try withCaller { caller in try caller.admit(user: user) } }

  /// Requires the same of an identity.
  func admit(_ identity: Identity) throws { try withCaller { caller in try caller.admit(identity) } }

  /// Makes calls as part of the operation.
  package nonisolated(nonsending) func run<Result: Sendable>(
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await Self.$current.withValue(self, operation: body)
  }

  /// The caller of the operation that a client's call belongs to, if it does.
  static func ofCall(by client: AnyObject) -> OperationCaller? {
    guard let current else { return nil }
    let id = ObjectIdentifier(client)
    return current.state.withLock { state in
      if state.client == nil { state.client = id }
      return state.client == id
    } ? current : nil
  }

  func withCaller<Result>(_ body: (inout PinnedCaller) throws -> Result) rethrows -> Result {
    try state.withLock { try body(&$0.caller) }
  }
}

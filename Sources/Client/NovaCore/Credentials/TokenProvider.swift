/// Where calls get their bearer token from.
///
/// A provider whose user can change must name the user: in ``AccessToken/user`` and ``currentUser()``. A call that is
/// waiting, for example for its next attempt, then ends with an error when another user has signed in. A token without a
/// user is kept for all attempts of a call, unless the gateway refuses it.
public protocol TokenProvider: Sendable {
  /// A token that can be sent at once, without waiting for anything. Asked first. Default: nil, which means that
  /// ``accessToken()`` must be asked.
  var availableToken: AccessToken? { get }

  /// The token to send now; nil for none. It may take time, for example for a refresh; a caller who gives up stops
  /// waiting and nothing else.
  ///
  /// - Throws: an error that ends the call, for example when a sign-in is needed first.
  func accessToken() async throws -> AccessToken?

  /// Called when the gateway rejects a token with 401: returns another token of the same user for a second attempt, or nil.
  /// Default: nil.
  ///
  /// - Throws: an error that ends the call in place of the 401.
  func replacement(for refused: AccessToken) async throws -> AccessToken?

  /// Receives the time of the gateway's clock (the `Date` of its responses, in Unix seconds), so that expiry is judged by the
  /// clock that decides it. Default: nothing.
  func serverTime(_ unixSeconds: Int64)

  /// The ID of the user whose tokens these are, found without asking the gateway; nil if nobody is signed in. What a client
  /// stores is kept apart by it. Default: nil, which means that the token itself tells users apart.
  ///
  /// - Throws: an error if it cannot be found out now.
  func currentUser() async throws -> String?

  /// Calls `body` with the user's ID after each sign-out, before the sign-out returns. Default: nothing.
  func onSignOut(_ body: @escaping @Sendable (_ user: String) async -> Void)
}

extension TokenProvider {
  public var availableToken: AccessToken? { nil }
  public func replacement(for refused: AccessToken) async throws -> AccessToken? { nil }
  public func serverTime(_ unixSeconds: Int64) {}
  public func currentUser() async throws -> String? { nil }
  public func onSignOut(_ body: @escaping @Sendable (_ user: String) async -> Void) {}
}

/// Tokens that ``APIClient/setAuthToken(_:)`` can also set.
package protocol SettableTokens: TokenProvider {
  /// The token that it sets.
  var storedToken: StoredToken { get }
}

/// A token in memory that can be replaced at any time, from any task: for a program that acts for one user at a time.
///
/// If the token is a JSON Web Token, its subject is taken for its user, so that what is stored for the user is found again
/// with the next token. Its signature is not verified: for tokens that others send you, use ``CallOptions/token``.
public final class StoredToken: TokenProvider {
  private enum Content {
    case token(AccessToken?)
    /// Text that cannot be a token was given; it is not kept.
    case unusable
  }

  private let content: Locked<Content>

  /// Creates a store.
  public init(_ token: AccessToken? = nil) { content = Locked(.token(token?.withClaimedUser)) }

  /// The token; nil for none.
  ///
  /// - Throws: ``APIError`` with the code `unauthorized` if the last text given cannot be a token.
  public func accessToken() async throws -> AccessToken? { try token() }

  /// The same at once.
  func token() throws(APIError) -> AccessToken? {
    switch content.withLock({ $0 }) {
    case .token(let token): return token
    case .unusable:
      throw APIError(
        .unauthorized,
        "malformed token", reason: "expected \(AccessToken.expectation)", sent: .nothing)
    }
  }

  /// The token; nil for none, or for text that cannot be a token.
  public var current: AccessToken? {
    get { content.withLock { if case .token(let token) = $0 { token } else { nil } } }
    set { content.withLock { $0 = .token(newValue?.withClaimedUser) } }
  }

  public var availableToken: AccessToken? { current }

  /// Replaces the token by this text.
  func set(_ text: String) {
    let token = try? AccessToken(text)
    content.withLock { $0 = token.map { .token($0.withClaimedUser) } ?? .unusable }
  }
}

/// What a new access token is got with: a secret that does not show itself, as ``AccessToken`` does not.
public struct RefreshToken: Sendable, Hashable {
  /// The token in plain text. Put it into the body of a request and nowhere else.
  public let secretValue: String

  /// Wraps a token; nil for an empty text, which is none.
  public init?(_ secretValue: String) {
    guard !secretValue.isEmpty else { return nil }
    self.secretValue = secretValue
  }

  public static func == (left: RefreshToken, right: RefreshToken) -> Bool {
    left.secretValue.hasSameBytes(as: right.secretValue)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(bytesOf: secretValue) }
}

extension RefreshToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { SecretText.mask }
  public var debugDescription: String { SecretText.mask }
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

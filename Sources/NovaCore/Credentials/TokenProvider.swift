/// Where calls get their bearer token from.
public protocol TokenProvider: Sendable {
  /// The token to send now; nil for none.
  ///
  /// - Throws: an error that ends the call, for example when a sign-in is needed first.
  func accessToken() async throws -> AccessToken?
}

/// A token in memory that can be replaced at any time, from any task.
public final class StoredToken: TokenProvider {
  private let token: Locked<AccessToken?>

  /// Creates a store.
  public init(_ token: AccessToken? = nil) { self.token = Locked(token) }

  public func accessToken() async throws -> AccessToken? { current }

  /// The token; nil for none.
  public var current: AccessToken? {
    get { token.withLock { $0 } }
    set { token.withLock { $0 = newValue } }
  }
}

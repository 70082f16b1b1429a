public import NovaCore

/// Answers `GET` and `HEAD` requests of a client from a cache, and stores the responses that may be stored.
///
/// ```swift
/// let cache = HTTPCache()
/// let client = try APIClient(configuration: .load(), middlewares: [CacheMiddleware(cache, partition: userId)])
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
  ///   - partition: the account whose responses these are, for example a user id. No other partition gets them. Default:
  ///     nil; responses to requests with a token are then stored only if the server allows shared caches to do so.
  public init(_ cache: HTTPCache, partition: String? = nil) { self.init(cache) { partition } }

  /// Creates a middleware for the requests of several accounts.
  ///
  /// - Parameters:
  ///   - cache: where responses are stored.
  ///   - partition: the account of the request that is about to be sent; nil for none.
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

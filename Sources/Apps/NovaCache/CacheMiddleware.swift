public import NovaCore

/// Answers a client's `GET` and `HEAD` requests from a cache, and stores the responses that may be stored. For images,
/// use ``MediaCache`` instead.
///
/// ```swift
/// let cache = HTTPCache()
/// let client = try APIClient(configuration: .load()) { $0.middlewares = [CacheMiddleware(cache)] }
/// ```
///
/// Responses are stored for the identity of the request, which is that of its token, see ``CallContext/identity(of:)``.
/// Other callers get them only if the server, and each redirect on the way, allows caches to share them.
///
/// Every response reports in `Cache-Status` whether it came from the cache, `nova; hit; ttl=286`, or why a request was
/// sent: `nova; fwd=uri-miss; stored`.
public struct CacheMiddleware: Middleware {
  private let cache: HTTPCache

  /// Creates a middleware for the requests of all callers of a client.
  ///
  /// - Parameter cache: where responses are stored.
  public init(_ cache: HTTPCache) { self.cache = cache }

  public func intercept(
    _ request: HTTPRequest, _ context: CallContext, next: @escaping Next
  ) async throws -> HTTPResponse {
    let key: CacheKey
    do { key = CacheKey(url: request.url, identity: try owner(of: request, context)) } catch {
      // Without libcrypto, the owners of unknown tokens cannot be distinguished.
      var response = try await next(request)
      CacheStatus.forwarded(.bypass).add(to: &response.headers)
      return response
    }
    let call = CacheCall(request: request, key: key, deadline: context.deadline, send: next)
    return try await cache.engine.answer(call).response
  }

  /// The owner of the response; nil for a storage server, which does not identify its callers.
  private func owner(of request: HTTPRequest, _ context: CallContext) throws(APIError) -> Identity? {
    if !context.isForGateway, request.headers["Authorization"] == nil { return nil }
    return try context.identity(of: request)
  }
}

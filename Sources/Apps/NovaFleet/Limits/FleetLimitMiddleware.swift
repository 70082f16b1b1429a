public import NovaCore

/// Makes each attempt of a client's calls wait for a token of a fleet's limit, within the call's deadline. A response that
/// asks for a pause stops all machines.
public struct FleetLimitMiddleware: Middleware {
  private let limiter: FleetLimiter
  private let priority: @Sendable (CallContext) -> FleetPriority

  /// Creates a middleware.
  ///
  /// - Parameters:
  ///   - limiter: the limiter, one for all clients of this process that share the limit.
  ///   - priority: how important a call is. Default: all are normal.
  public init(_ limiter: FleetLimiter, priority: @escaping @Sendable (CallContext) -> FleetPriority = { _ in .normal })
  {
    (self.limiter, self.priority) = (limiter, priority)
  }

  public func intercept(_ request: HTTPRequest, _ context: CallContext, next: @escaping Next) async throws
    -> HTTPResponse
  {
    // Other servers than the gateway have other limits.
    guard context.isForGateway else { return try await next(request) }
    do {
      try await limiter.acquire(priority: priority(context), until: context.deadline)
    } catch let error as FleetLimitError {
      var text = error.text
      text.sent = context.attempt == 1 ? .nothing : .nothingMore
      throw APIError(error.kind == .store ? .unavailable : .rateLimited, text, rpc: context.rpc.id)
    }
    let response = try await next(request)
    if let time = RateLimitHeaders.pause(response, unixTime: ContinuousClock().unixTime) { limiter.pause(for: time) }
    return response
  }
}

/// Masks the secrets of a request in error responses and transport errors, before anything else can read them.
///
/// Successful responses stay as they are: there a token is what was asked for.
struct SecrecyMiddleware: Middleware {
  func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    context.sent.record(request)
    do {
      var response = try await next(request)
      if response.isSuccess { return response }
      do {
        response.body = try await response.body.collected(upTo: SecretRedactor.largestFailure)
      } catch is HTTPBodyError {
        response.body = .empty
      }
      return context.sent.redactor(context.rpc).maskedFailure(response)
    } catch let error as TransportError {
      throw context.sent.redactor(context.rpc).masked(error)
    }
  }
}

/// Sends the call's id as `X-Request-ID`, the same for every attempt, and an `Idempotency-Key` with calls that change
/// something. Only the gateway gets them.
struct RequestIDMiddleware: Middleware {
  func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    // Another server has no part in the gateway's bookkeeping.
    guard context.isForGateway else { return try await next(request) }
    var request = request
    request.headers["X-Request-ID"] = context.requestID
    if context.rpc.effect != .noSideEffects {
      request.headers["Idempotency-Key"] = context.idempotencyKey
    }
    return try await next(request)
  }
}

/// Creates a span for each attempt, and propagates it to the gateway with `traceparent` or the headers of the program's tracer.
package struct TracingMiddleware: Middleware {
  private let tracing: CallTracing

  package init(_ tracing: CallTracing = CallTracing()) { self.tracing = tracing }

  package func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    try await tracing.withAttemptSpan(request, in: context) { try await next($0) }
  }
}

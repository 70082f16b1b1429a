/// Creates a span for each attempt, and propagates it to the gateway with `traceparent` or the headers of the program's tracer.
package struct TracingMiddleware: Middleware {
  private let tracing: CallTracing

  package init(_ tracing: CallTracing = CallTracing()) { self.tracing = tracing }

  package func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    try await tracing.withAttemptSpan(request, in: context) { try await next($0) }
  }
}

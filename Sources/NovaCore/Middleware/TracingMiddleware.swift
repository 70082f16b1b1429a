/// Makes a span of each attempt, and tells the gateway of it by `traceparent`, or whatever the program's tracer sends.
package struct TracingMiddleware: Middleware {
  private let tracing: CallTracing

  package init(_ tracing: CallTracing = CallTracing()) { self.tracing = tracing }

  package func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    try await tracing.withAttemptSpan(request, context) { try await next($0) }
  }
}

package import NovaCore

/// Makes a span for each attempt with a tracer of the test's own; the client uses the program's.
package struct AttemptSpans: Middleware {
  private let tracing: CallTracing

  package init(_ tracing: CallTracing = CallTracing()) { self.tracing = tracing }

  package func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    try await tracing.withAttemptSpan(request, in: context) { try await next($0) }
  }
}

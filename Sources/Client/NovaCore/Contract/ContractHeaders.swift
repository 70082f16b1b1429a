/// The header fields of HTTP/JSON that clients of the contract send and read.
package enum ContractHeaders {
  /// Identifies a call; the same for all its attempts. Responses repeat it.
  package static let requestID = "X-Request-ID"
  /// Identifies a call that changes something, so that a repetition changes nothing.
  package static let idempotencyKey = "Idempotency-Key"
  /// `true` in the response to a repeated call.
  package static let idempotencyReplayed = "Idempotency-Replayed"
  /// When to try again.
  package static let retryAfter = "Retry-After"

  /// What clients send: about the call, its deadline and its trace, about uploads and parts of files, about events, and the
  /// fault that a mock backend is to inject.
  package static let ofRequests = [
    "Authorization", "Content-Type", requestID, idempotencyKey, "Grpc-Timeout", "traceparent", "tracestate", "baggage",
    "Content-Range", "Content-Digest", "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since",
    "If-Unmodified-Since", "Cache-Control", "Last-Event-ID", "Nova-Fault",
  ]

  /// What clients read in responses, besides the type and the size of the body.
  package static let ofResponses = [
    requestID, idempotencyReplayed, retryAfter, "ETag", "Accept-Ranges", "Content-Range", "Cache-Control",
    "Repr-Digest",
    "Allow", "Content-Disposition", "Date",
  ]
}

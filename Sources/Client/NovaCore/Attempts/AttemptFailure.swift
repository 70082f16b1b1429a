/// A response that is a failure.
struct ResponseFailure: Error {
  let error: APIError
  let response: HTTPResponse
  /// The token of the attempt, if the gateway refused it.
  var refusedToken: AccessToken?
}

/// Why an attempt failed, and whether another one may follow.
struct AttemptFailure {
  /// The call's error if no attempt follows.
  let error: APIError
  /// The token that the gateway refused.
  private(set) var refusedToken: AccessToken?

  init(_ error: any Error, _ clock: any CallClock) {
    switch error {
    case let failure as ResponseFailure:
      var error = failure.error
      error.retryAfter =
        RetryAfter.wait(failure.response.headers, unixTime: clock.unixTime) ?? error.retryAfter
      error.serverTime = failure.response.headers.serverTime
      self.error = error
      refusedToken = failure.refusedToken
    default: self.error = APIError(anyFailure: error)
    }
  }

  /// The wait that the server requests; nil if it requests none.
  var retryAfter: Duration? { error.serverWait }

  /// Whether the caller cancelled the call.
  var isCancelled: Bool { error.code == .cancelled && error.httpStatus == nil }

  /// Whether the server may have seen a byte of the request, or processed it. Errors of middlewares and other
  /// transports are no proof that it did not.
  var requestMayHaveLeft: Bool { error.mayHaveReachedGateway }

  /// Why the call is retried, if it is.
  func retryReason(overGRPC: Bool) -> RetryReason {
    if let kind = error.transport?.kind { return .transport(kind) }
    // Over gRPC, the HTTP status is what a gateway would have answered.
    if overGRPC, let status = error.grpcStatus { return .grpcStatus(status) }
    if let status = error.httpStatus, status >= 300 { return .httpStatus(status) }
    return error.grpcStatus.map { .grpcStatus($0) } ?? .failure(error.code)
  }
}

/// One attempt of a call.
public struct CallAttempt: Sendable, Equatable {
  /// What followed an attempt that failed.
  public enum Consequence: Sendable, Equatable {
    /// The call was retried, `wait` after this attempt.
    case retry(wait: Duration, reason: RetryReason)
    /// The call ended.
    case stop(reason: StopReason)
  }

  /// When it began, relative to the beginning of the call.
  public var start: Duration
  /// How long it took.
  public var duration: Duration
  /// The status of the response, if there was one.
  public var httpStatus: Int?
  /// The gRPC status, if the server named one.
  public var grpcStatus: GRPCStatus?
  /// Whether the server speaks gRPC, so that the HTTP status says nothing.
  package var isOverGRPC = false
  /// Why there is no response; nil if there is one.
  public var failure: TransportError.Kind?
  /// What followed; nil for a successful attempt.
  public var consequence: Consequence?

  /// Creates an attempt.
  public init(
    start: Duration = .zero, duration: Duration, httpStatus: Int? = nil, grpcStatus: GRPCStatus? = nil,
    failure: TransportError.Kind? = nil, consequence: Consequence? = nil
  ) {
    self.start = start
    self.duration = duration
    self.httpStatus = httpStatus
    self.grpcStatus = grpcStatus
    self.failure = failure
    self.consequence = consequence
  }
}

/// Why a call is retried.
public enum RetryReason: Sendable, Equatable, CustomStringConvertible {
  /// The response has this status.
  case httpStatus(Int)
  /// The server named this gRPC status.
  case grpcStatus(GRPCStatus)
  /// There is no complete response.
  case transport(TransportError.Kind)
  /// Another failure.
  case failure(APIError.Code)
  /// The server rejected the token, and there is another one.
  case newToken

  /// The reason as a clause: `HTTP 503`, `connectionLost`.
  public var description: String {
    switch self {
    case .httpStatus(let status): "HTTP \(status)"
    case .grpcStatus(let status): status.description
    case .transport(let kind): kind.rawValue
    case .failure(let code): code.rawValue
    case .newToken: "the token was rejected, and another one is available"
    }
  }
}

/// Why a failed call is not retried.
public enum StopReason: Sendable, Equatable, CustomStringConvertible {
  /// The failure is permanent.
  case permanentFailure
  /// The server may have executed the call, and this method is not idempotent.
  case notIdempotent(method: String)
  /// The policy allows no more attempts.
  case attemptLimit(Int)
  /// The policy allows no new attempt after this time.
  case elapsedLimit(Duration)
  /// The call's deadline has passed.
  case deadlinePassed
  /// The call's deadline is before the end of the wait.
  case deadlineTooClose(wait: Duration)
  /// The client's ``RetryBudget`` is empty.
  case budgetEmpty
  /// The request's body is a stream, which can be sent only once.
  case bodyNotReplayable
  /// The server rejected the token, and there is no other.
  case noOtherToken
  /// The calling task was cancelled.
  case cancelled
  /// Another reason, from a ``RetryRule`` of your own, as a clause without a full stop.
  case custom(String)

  /// The reason as a clause: `all 3 attempts have failed`.
  public var description: String {
    switch self {
    case .permanentFailure: "the failure is permanent"
    case .notIdempotent(let method): "the server may have executed \(method), which is not idempotent"
    case .attemptLimit(1): "only one attempt is allowed"
    case .attemptLimit(let maximum): "all \(maximum) attempts have failed"
    case .elapsedLimit(let maximum): "more than \(maximum.formatted) have passed"
    case .deadlinePassed: "the call's deadline has passed"
    case .deadlineTooClose(let wait): "the next attempt, in \(wait.formatted), would start after the call's deadline"
    case .budgetEmpty: "the retry budget is empty"
    case .bodyNotReplayable: "the request's body is a stream, which can be sent only once"
    case .noOtherToken: "no other token is available"
    case .cancelled: "the call was cancelled"
    case .custom(let reason): reason
    }
  }
}

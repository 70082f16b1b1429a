/// One attempt of a call.
public struct CallAttempt: Sendable, Hashable {
  /// What came of an attempt that failed.
  public enum Consequence: Sendable, Hashable {
    /// The call was tried again, `wait` after this attempt; `reason` says what allowed it.
    case retry(wait: Duration, reason: String)
    /// The call ended; `reason` says why it was not tried again.
    case stop(reason: String)
  }

  /// When it began, counted from the beginning of the call.
  public var start: Duration
  /// How long it took.
  public var duration: Duration
  /// The status of the response, if there was one.
  public var httpStatus: Int?
  /// The gRPC status, if the server named one.
  public var grpcStatus: GRPCStatus?
  /// Why there is no response, otherwise.
  public var failure: TransportError.Kind?
  /// What followed; nil for an attempt that succeeded.
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

/// Allows transient failures: failures of the network, timeouts, 408, 421, 425, 429, 500, 502, 503, 504, Cloudflare's
/// 520 to 527 and 530, gRPC's UNAVAILABLE, RESOURCE_EXHAUSTED and ABORTED, and a 409 that reports that a request with the
/// same idempotency key is in progress.
public struct TransientOnly: RetryRule {
  private static let httpStatuses = OriginStatus.all.union([408, 421, 425, 429, 500, 502, 503, 504])
  private static let grpcStatuses: [GRPCStatus] = [.unavailable, .resourceExhausted, .aborted]
  private static let networkFailures: [TransportError.Kind] = [
    .nameResolution, .connectionRefused, .connectionFailed, .connectionLost, .connectTimeout, .idleTimeout,
    .totalTimeout,
  ]

  /// Creates the rule.
  public init() {}

  public func objection(to failure: FailedAttempt) -> StopReason? {
    Self.isTransient(failure.error) ? nil : .permanentFailure
  }

  package static func isTransient(_ error: APIError) -> Bool {
    if error.isKeyInProgress { return true }
    if let kind = error.transport?.kind { return networkFailures.contains(kind) }
    return error.grpcStatus.map(grpcStatuses.contains) ?? false || error.httpStatus.map(httpStatuses.contains) ?? false
  }
}

/// Allows safe retries: calls without side effects, idempotent calls, calls that were provably never sent, and every call
/// if the gateway recognizes its `Idempotency-Key`, which a gateway proves that reports a key in progress.
public struct EffectAware: RetryRule {
  /// Creates the rule.
  public init() {}

  public func objection(to failure: FailedAttempt) -> StopReason? {
    guard failure.rpc.effect == .notIdempotent, failure.requestMayHaveLeft,
      !failure.serverRecognizesKeys && !failure.error.isKeyInProgress
    else { return nil }
    return .notIdempotent(method: failure.rpc.method)
  }
}

/// Limits the number of attempts, including the first. If more than one is allowed, responses that a request with the same
/// idempotency key is still in progress do not count: the write is in progress, and only the call's deadline ends the wait
/// for it.
public struct AttemptLimit: RetryRule {
  /// The maximum number of attempts; at least 1.
  public let maximum: Int

  /// Creates the rule.
  public init(_ maximum: Int) { self.maximum = max(1, maximum) }

  public func objection(to failure: FailedAttempt) -> StopReason? {
    if failure.error.isKeyInProgress, maximum > 1 { return nil }
    return failure.number < maximum ? nil : .attemptLimit(maximum)
  }
}

/// Allows new attempts only for a time after the call began.
public struct ElapsedLimit: RetryRule {
  /// The time.
  public let maximum: Duration

  /// Creates the rule.
  public init(_ maximum: Duration) { self.maximum = maximum }

  public func objection(to failure: FailedAttempt) -> StopReason? {
    failure.elapsed < maximum ? nil : .elapsedLimit(maximum)
  }
}

extension RetryRule where Self == TransientOnly {
  /// Allows transient failures.
  public static var transientOnly: TransientOnly { TransientOnly() }
}

extension RetryRule where Self == EffectAware {
  /// Allows safe retries.
  public static var effectAware: EffectAware { EffectAware() }
}

extension RetryRule where Self == AttemptLimit {
  /// Allows up to `maximum` attempts, including the first.
  public static func attempts(_ maximum: Int) -> AttemptLimit { AttemptLimit(maximum) }
}

extension RetryRule where Self == ElapsedLimit {
  /// Allows new attempts until `maximum` has passed since the call began.
  public static func elapsed(_ maximum: Duration) -> ElapsedLimit { ElapsedLimit(maximum) }
}

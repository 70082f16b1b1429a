/// Whether and when a failed call is retried: rules that must all allow a retry, and the time to wait.
///
/// ```swift
/// let patient = RetryPolicy.standard(attempts: 6, delay: .milliseconds(200)).adding(.elapsed(.seconds(20)))
/// let page = try await nova.graph.with { $0.retry = patient }.getFollowers(userId: id)
/// ```
///
/// Whatever the rules allow, a call is not retried once it was cancelled, when the next attempt would start after its
/// deadline, or when the client's ``RetryBudget`` is empty.
public struct RetryPolicy: Sendable {
  /// The conditions for another attempt. The first rule that objects decides.
  public var rules: [any RetryRule]
  /// How long to wait if the server does not send `Retry-After`. It also bounds the shortest wait, which is 0.1 s at first
  /// and grows: without waits here, there is no wait after `Retry-After: 0` either.
  public var backoff: Backoff
  /// The maximum time of one attempt, at least 1 ms; nil (default) for the remaining time of the call. Of a
  /// stream, it limits the time until the server accepts it.
  public var attemptTimeout: Duration?

  /// Creates a policy. Without rules, every failure is retried until the call's deadline; from the tenth attempt on
  /// after 0.1 s at the earliest, so that a policy without waits does not keep a processor busy.
  public init(rules: [any RetryRule], backoff: Backoff = Backoff(), attemptTimeout: Duration? = nil) {
    self.rules = rules
    self.backoff = backoff
    self.attemptTimeout = attemptTimeout
  }

  /// The default of every client: retries transient failures when that is safe.
  ///
  /// - Parameters:
  ///   - attempts: the maximum number of attempts, including the first. Default 3.
  ///   - delay: the longest wait before the second attempt; see ``Backoff``. Default 2 s.
  public static func standard(attempts: Int = 3, delay: Duration = .seconds(2)) -> RetryPolicy {
    RetryPolicy(
      rules: [.transientOnly, .effectAware, .attempts(attempts)], backoff: Backoff(base: delay))
  }

  /// The default of a client with a configuration.
  package static func standard(of configuration: APIConfiguration) -> RetryPolicy {
    .standard(attempts: configuration.retryAttempts, delay: configuration.retryDelay)
  }

  /// The shortest wait at first. It grows, so that a server that requests no wait is not called without a pause.
  private static let floor = Duration.milliseconds(100)

  /// Allows only one attempt.
  public static let never = RetryPolicy(rules: [.attempts(1)])

  /// Returns a copy with one more rule.
  public func adding(_ rule: any RetryRule) -> RetryPolicy {
    var copy = self
    copy.rules.append(rule)
    return copy
  }

  /// How long to wait after the attempt with this number.
  ///
  /// - Parameters:
  ///   - retryAfter: the wait that the server requested.
  ///   - random: 0..<1.
  func wait(after attempt: Int, retryAfter: Duration?, random: Double) -> Duration {
    let wait = Pacing(backoff, floor: Self.floor).wait(after: attempt, requested: retryAfter, random: random)
    return attempt < 10 ? wait : max(wait, .milliseconds(100))
  }

  /// Why no other attempt is allowed; nil if no rule objects.
  func objection(to failure: FailedAttempt) -> StopReason? {
    for rule in rules { if let objection = rule.objection(to: failure) { return objection } }
    return nil
  }
}

/// A condition for a retry; see ``RetryPolicy``.
///
/// ```swift
/// struct DuringMaintenance: RetryRule {
///   func objection(to failure: FailedAttempt) -> StopReason? {
///     failure.error.server?.code == "MAINTENANCE" ? .custom("the backend is under maintenance") : nil
///   }
/// }
/// ```
public protocol RetryRule: Sendable {
  /// Returns why a call must not be retried after this attempt; nil if it may.
  func objection(to failure: FailedAttempt) -> StopReason?
}

/// An attempt that failed, as rules see it.
public struct FailedAttempt: Sendable {
  /// The RPC.
  public var rpc: RPCDescriptor
  /// The error of the call if no other attempt follows.
  public var error: APIError
  /// The number of the attempt, counted from 1.
  public var number: Int
  /// The time since the call began.
  public var elapsed: Duration
  /// Whether the server may have seen a byte of the request.
  public var requestMayHaveLeft: Bool
  /// Whether the gateway recognizes a repetition by its `Idempotency-Key`, according to the configuration.
  public var serverRecognizesKeys: Bool

  /// Creates a failed attempt, for tests of rules.
  public init(
    rpc: RPCDescriptor, error: APIError, number: Int = 1, elapsed: Duration = .zero, requestMayHaveLeft: Bool = true,
    serverRecognizesKeys: Bool = false
  ) {
    self.rpc = rpc
    self.error = error
    self.number = number
    self.elapsed = elapsed
    self.requestMayHaveLeft = requestMayHaveLeft
    self.serverRecognizesKeys = serverRecognizesKeys
  }
}

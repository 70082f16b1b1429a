/// Whether and when a call that failed is tried again: rules that must all agree, and how long to wait.
///
/// ```swift
/// let patient = RetryPolicy.standard(attempts: 6, delay: .milliseconds(200)).adding(.elapsed(.seconds(20)))
/// let page = try await nova.graph.with { $0.retry = patient }.getFollowers(userId: id)
/// ```
///
/// Whatever the rules say, a call is not tried again once it was cancelled, when the next attempt would begin after its
/// deadline, or when the client's ``RetryBudget`` is empty.
public struct RetryPolicy: Sendable {
  /// What must hold for another attempt. They are asked in this order, and the first that objects decides.
  public var rules: [any RetryRule]
  /// How long to wait where the server does not say.
  public var backoff: Backoff
  /// How long one attempt may take, at least 1 ms; nil (default) for whatever is left of the call's time.
  public var attemptTimeout: Duration?

  /// Creates a policy. Without rules everything is tried again until the call's time is up; from the tenth attempt on
  /// never sooner than after 0.1 s, so that a policy without waits does not keep a processor busy.
  public init(rules: [any RetryRule], backoff: Backoff = Backoff(), attemptTimeout: Duration? = nil) {
    self.rules = rules
    self.backoff = backoff
    self.attemptTimeout = attemptTimeout
  }

  /// What every client does by default: tries again what may pass by itself, if that cannot do anything twice.
  ///
  /// - Parameters:
  ///   - attempts: how many at most, the first included. Default 3.
  ///   - delay: the most that is waited before the second attempt; see ``Backoff``. Default 2 s.
  public static func standard(attempts: Int = 3, delay: Duration = .seconds(2)) -> RetryPolicy {
    RetryPolicy(
      rules: [.transientOnly, .effectAware, .attempts(attempts)], backoff: Backoff(base: delay))
  }

  /// One attempt only.
  public static let never = RetryPolicy(rules: [.attempts(1)])

  /// A copy with one more rule.
  public func adding(_ rule: any RetryRule) -> RetryPolicy {
    var copy = self
    copy.rules.append(rule)
    return copy
  }

  /// How long to wait behind the attempt of this number.
  ///
  /// - Parameters:
  ///   - retryAfter: what the server asked for.
  ///   - random: 0..<1.
  func wait(after attempt: Int, _ retryAfter: Duration?, random: Double) -> Duration {
    let wait = retryAfter ?? backoff.wait(after: attempt, random: random)
    return attempt < 10 ? wait : max(wait, .milliseconds(100))
  }

  /// Why there is no next attempt; nil if no rule objects.
  func objection(to failure: FailedAttempt) -> String? {
    for rule in rules { if let objection = rule.objection(to: failure) { return objection } }
    return nil
  }
}

/// One condition for trying again; see ``RetryPolicy``.
///
/// ```swift
/// struct NotAtNight: RetryRule {
///   func objection(to failure: FailedAttempt) -> String? { isNight() ? "the night is for sleeping" : nil }
/// }
/// ```
public protocol RetryRule: Sendable {
  /// Why a call must not be tried again after this attempt, as a clause without a full stop; nil if it may.
  func objection(to failure: FailedAttempt) -> String?
}

/// An attempt that failed, as rules see it.
public struct FailedAttempt: Sendable {
  /// The RPC.
  public var rpc: RPCDescriptor
  /// How the call would end if it ended here.
  public var error: APIError
  /// The number of the attempt, counted from 1.
  public var number: Int
  /// The time since the beginning of the call.
  public var elapsed: Duration
  /// Whether the server may have seen a byte of the request.
  public var requestMayHaveLeft: Bool
  /// Whether the gateway recognises a repetition by its `Idempotency-Key`, as the configuration says.
  public var serverRecognisesKeys: Bool

  /// Creates one, for tests of rules.
  public init(
    rpc: RPCDescriptor, error: APIError, number: Int = 1, elapsed: Duration = .zero, requestMayHaveLeft: Bool = true,
    serverRecognisesKeys: Bool = false
  ) {
    self.rpc = rpc
    self.error = error
    self.number = number
    self.elapsed = elapsed
    self.requestMayHaveLeft = requestMayHaveLeft
    self.serverRecognisesKeys = serverRecognisesKeys
  }
}

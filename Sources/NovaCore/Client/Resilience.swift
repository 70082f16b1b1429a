/// How a client handles failures: what it retries, how often in total, and when it stops calling a host.
public struct Resilience: Sendable {
  /// Whether and when calls are retried, unless ``CallOptions/retry`` is set; nil for
  /// ``RetryPolicy/standard(attempts:delay:)`` with the configuration's numbers.
  public var retry: RetryPolicy?
  /// How many retries all calls together may make; nil for as many as the policies allow.
  public var budget: RetryBudget?
  /// When calls to a host stop; nil for never.
  public var breaker: CircuitBreaker?

  /// Creates one. The default has everything, with the defaults of each.
  public init(
    retry: RetryPolicy? = nil, budget: RetryBudget? = RetryBudget(), breaker: CircuitBreaker? = CircuitBreaker()
  ) {
    self.retry = retry
    self.budget = budget
    self.breaker = breaker
  }

  /// One attempt per call, and every call is made.
  public static var none: Resilience { Resilience(retry: .never, budget: nil, breaker: nil) }
}

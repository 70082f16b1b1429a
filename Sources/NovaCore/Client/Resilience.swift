/// How a client stands up to a bad network: what it tries again, how often in all, and when it leaves a host alone.
public struct Resilience: Sendable {
  /// Whether and when calls are tried again, unless ``CallOptions/retry`` says otherwise; nil for
  /// ``RetryPolicy/standard(attempts:delay:)`` with the configuration's numbers.
  public var retry: RetryPolicy?
  /// How many retries all calls together may make; nil for as many as the policies allow.
  public var budget: RetryBudget?
  /// When a host is left alone; nil for never.
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

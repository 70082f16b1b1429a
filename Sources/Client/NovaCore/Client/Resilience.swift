/// How a client handles failures: what it retries, how often in total, and when it stops calling a host.
///
/// By default, the clients of one gateway share their retry budget and their circuit breaker, so that a server with a
/// client for each of its parts stops calling a gateway that is down as soon as one with a single client would:
///
/// ```swift
/// let nova = try NovaClient()                          // shares
/// let reports = try NovaClient()                       // with this one
/// let own = Resilience(budget: RetryBudget(), breaker: CircuitBreaker())
/// let alone = NovaClient(configuration: configuration) { $0.resilience = own }
/// ```
///
/// Only clients share that send over the network with the configuration's own transport and the system's clock. A client
/// with another transport, such as a mock or a stub of a test, has its own budget and breaker.
public struct Resilience: Sendable {
  /// Whether and when calls are retried, unless ``CallOptions/retry`` is set; nil for
  /// ``RetryPolicy/standard(attempts:delay:)`` with the configuration's numbers.
  public var retry: RetryPolicy?
  /// How many retries all calls together may make; nil for as many as the policies allow.
  public var budget: RetryBudget?
  /// When calls to a host stop; nil for never.
  public var breaker: CircuitBreaker?
  /// Whether it is decided what is shared. One initializer calls another, which must not decide again.
  private var isResolved = false

  /// Creates one. The default has everything, with the defaults of each.
  ///
  /// - Parameters:
  ///   - retry: whether and when calls are retried. Default: the configuration's numbers.
  ///   - budget: how many retries all calls together may make. Default: shared by the clients of a gateway.
  ///   - breaker: when calls to a host stop. Default: shared by the clients of a gateway.
  public init(
    retry: RetryPolicy? = nil, budget: RetryBudget? = .shared, breaker: CircuitBreaker? = .shared
  ) {
    self.retry = retry
    self.budget = budget
    self.breaker = breaker
  }

  /// One attempt per call, and every call is made.
  public static var none: Resilience { Resilience(retry: .never, budget: nil, breaker: nil) }
}

extension Resilience {
  /// The same with the budget and the breaker that the client really uses: its gateway's shared ones, or its own.
  ///
  /// - Parameter transport: the transport that the program has given to the client, if any.
  package func resolved(
    for configuration: APIConfiguration, transport: (any HTTPTransport)?, clock: any CallClock
  ) -> Resilience {
    if isResolved { return self }
    // Mock and offline transports send nothing, and another clock's times mean nothing here.
    let shares =
      transport == nil && !configuration.usesMockData && !configuration.isOffline && clock is ContinuousClock
    var resolved = self
    resolved.isResolved = true
    if budget === RetryBudget.shared {
      resolved.budget = shares ? SharedBudgets.all.budget(of: configuration.baseURL.origin) : RetryBudget()
    }
    if breaker === CircuitBreaker.shared, !shares { resolved.breaker = CircuitBreaker() }
    return resolved
  }
}

extension CircuitBreaker {
  /// The breaker that the clients of this program share, with a circuit for each host. See ``Resilience`` for which do.
  public static let shared = CircuitBreaker()
}

extension RetryBudget {
  /// Stands for the budget that the clients of a gateway share: one for each gateway. See ``Resilience`` for which do.
  public static let shared = RetryBudget()
}

/// The budgets of gateways, each for as long as a client uses it.
final class SharedBudgets: Sendable {
  static let all = SharedBudgets()

  private struct Entry {
    weak var budget: RetryBudget?
  }

  private let entries = Locked<[HTTPOrigin: Entry]>([:])

  /// How many are in use, or were when the last one was made.
  var count: Int { entries.withLock { $0.count } }

  func budget(of origin: HTTPOrigin) -> RetryBudget {
    entries.withLock { entries in
      if let budget = entries[origin]?.budget { return budget }
      let budget = RetryBudget()
      // Drops the entries of gateways that have no client any more.
      entries = entries.filter { $0.value.budget != nil }
      entries[origin] = Entry(budget: budget)
      return budget
    }
  }
}

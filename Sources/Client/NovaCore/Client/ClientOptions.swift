public import Logging

/// What a client does beside the settings of its configuration: additional steps, retries, observers, and stores.
///
/// The initializers of `NovaClient` and ``APIClient`` pass the defaults to a closure, which changes them:
///
/// ```swift
/// let nova = NovaClient(configuration: try .load()) {
///   $0.middlewares = [HTTPClientMetrics()]
///   $0.resilience = .none
/// }
/// ```
///
/// To give several clients the same options, make a value and assign it: `{ $0 = options }`.
public struct ClientOptions: Sendable {
  /// Additional steps of every attempt, the first one outermost. Default: none.
  public var middlewares: [any Middleware] = []
  /// What is retried, and when calls to a host stop. Default: the configuration's numbers, with a budget and a breaker
  /// that the clients of a gateway share, see ``Resilience``.
  public var resilience = Resilience()
  /// Observes every call, including sign-ins and refreshes of sessions. Default: none.
  public var observer: (any CallObserver)?
  /// Where attempts are logged, at debug level. Default: nowhere; for `NovaClient`, a logger with the label `NovaSDK` if
  /// the configuration logs requests.
  public var logger: Logger?
  /// Answers reads offline, and keeps writes until they can be sent: an `OfflineStore` of NovaOffline. It forgets what was
  /// read when the user signs out. Default: none.
  public var store: (any CallStore)?
  /// Receives the events of what users do: an `EventTracker` of NovaTracking, or your own. Default: none.
  public var tracker: (any Tracker)?
  /// Measures and waits, also for the expiry of sessions; in tests a `ManualClock` of NovaTesting. Default: the system's.
  public var clock: any CallClock = ContinuousClock()
  /// Makes the ids of calls.
  package var makeRequestID: @Sendable () -> String = { RequestID.random() }
  /// 0..<1, for the jitter of waits.
  package var random: @Sendable () -> Double = { .random(in: 0..<1) }

  /// Creates options with the default of each.
  public init() {}
}

extension ClientOptions {
  /// The same with the budget and the breaker that the client really uses, see ``Resilience``.
  ///
  /// - Parameter transport: the transport that the program has given to the client, if any.
  package func resolved(for configuration: APIConfiguration, transport: (any HTTPTransport)?) -> ClientOptions {
    var options = self
    options.resilience = resilience.resolved(for: configuration, transport: transport, clock: clock)
    return options
  }
}

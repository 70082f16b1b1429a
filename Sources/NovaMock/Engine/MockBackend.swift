public import NovaCore

/// The NovaSocial backend in memory: it takes an HTTP request and returns the gateway's response.
///
/// It is stateful and enforces the contract's rules: what one call writes, every other call reads, and following across a
/// block is refused. It is deterministic: the same seed, times, and requests give the same responses.
///
/// By default no call requires an access token, but a token that is sent must be valid: issued by this backend, and
/// neither expired nor revoked. With `requiresTokens` the calls that require a token in the contract fail without one.
///
/// ```swift
/// let backend = MockBackend()
/// let client = APIClient(configuration: configuration, transport: MockTransport(backend))
/// ```
///
/// Backends share nothing, so each test can have its own. Use one from any number of tasks; it handles one request at a
/// time.
public final class MockBackend: Sendable {
  let engine: Locked<MockEngine>
  let log = Locked(RequestLog())
  let now: @Sendable () -> Int64
  /// What was there at first.
  package let dataSet: MockDataSet
  /// Whether calls without an access token fail with UNAUTHENTICATED where the contract requires one.
  public let requiresTokens: Bool
  /// Decides everything that is random in the data set.
  public let seed: UInt64
  private let activeFaults: Locked<Faults>
  private let initialFaults: Faults

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - seed: decides everything that is random in the data set. Default 1.
  ///   - dataSet: what is there at first. Default ``MockDataSet/guide``.
  ///   - faults: what goes wrong for whom, see ``faults``. Default: nothing.
  ///   - requiresTokens: whether calls without an access token fail with UNAUTHENTICATED where the contract requires a
  ///     token. Default `false`.
  ///   - now: the time of what is written and of tokens, in Unix seconds. Default: the system's.
  public init(
    seed: UInt64 = 1, dataSet: MockDataSet = .guide, faults: Faults = .none, requiresTokens: Bool = false,
    now: @escaping @Sendable () -> Int64 = { SystemTime.seconds }
  ) {
    engine = Locked(
      MockEngine {
        var state = dataSet.makeState(seed: seed)
        state.auth.key = SigningKey(seed: seed)
        return state
      })
    activeFaults = Locked(faults)
    initialFaults = faults
    self.seed = seed
    self.requiresTokens = requiresTokens
    self.dataSet = dataSet
    self.now = now
  }

  /// What goes wrong for whom. Setting it starts every rule anew; reading it tells what each has done.
  ///
  /// Faults count for ``answer(_:clock:)``, and so for ``MockTransport`` and `nova serve`; ``respond(to:)`` knows none.
  public var faults: Faults {
    get { withFaults { $0 } }
    set { withFaults { $0 = newValue.restarted } }
  }

  func withFaults<Result: Sendable>(_ body: (inout Faults) -> Result) -> Result {
    activeFaults.withLock { faults in body(&faults) }
  }

  func clearFaults() { withFaults { $0 = Faults(rules: [], seed: initialFaults.seed) } }

  /// The largest body that is read from a file or a stream, in bytes.
  static let largestBody = 64 << 20

  /// Answers a request at once and without faults. Only the path and query of its URL count, and its body must be in
  /// memory; ``MockTransport`` collects others.
  public func respond(to request: HTTPRequest) -> HTTPResponse {
    let clock = ContinuousClock()
    let start = clock.now
    let call = IncomingCall(request)
    let (response, _) = perform(call)
    record(call, response, nil, duration: start.duration(to: clock.now), clock)
    return response
  }
}

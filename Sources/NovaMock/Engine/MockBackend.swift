public import NovaCore

/// The NovaSocial backend in memory: it takes an HTTP request and returns the gateway's response.
///
/// It is stateful and enforces the contract's rules: what one call writes, every other call reads, and following across a
/// block is refused. It is deterministic: the same seed, times, and requests give the same responses.
///
/// By default no call requires an access token, but a token in a request must be valid: issued by this backend, and
/// neither expired nor revoked. With `requiresTokens`, calls that require a token in the contract fail without one.
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
  let events: EventLog
  let now: @Sendable () -> Int64
  /// The initial contents.
  package let dataSet: MockDataSet
  /// Whether calls without an access token fail with UNAUTHENTICATED if the contract requires one.
  public let requiresTokens: Bool
  /// The seed of everything random in the data set.
  public let seed: UInt64
  /// When the meanings of new captures are found.
  public let meanings: MockMeanings
  private let activeFaults: Locked<Faults>
  let activeStubs = Locked(StubList())
  private let initialFaults: Faults
  /// The maximum size of the bytes of uploads, on the disk and of one file.
  package let mediaLimit: Int64

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - seed: the seed of everything random in the data set. Default: 1.
  ///   - dataSet: the initial contents. Default: ``MockDataSet/guide``.
  ///   - faults: the faults to inject, see ``faults``. Default: none.
  ///   - requiresTokens: whether calls without an access token fail with UNAUTHENTICATED if the contract requires a
  ///     token. Default: false.
  ///   - meanings: when the meaning and the novelty score of a new capture are found. Default: never.
  ///   - mediaLimit: the maximum size of a file, and of the bytes of all uploads on the disk. Default: 4 GiB.
  ///   - events: how events are stored and streamed. Default: the defaults of ``MockEventSettings``.
  ///   - now: returns the backend's time in Unix seconds. Default: the system's time.
  public init(
    seed: UInt64 = 1, dataSet: MockDataSet = .guide, faults: Faults = .none, requiresTokens: Bool = false,
    meanings: MockMeanings = .off, mediaLimit: Int64 = 4 << 30, events: MockEventSettings = MockEventSettings(),
    now: @escaping @Sendable () -> Int64 = { SystemTime.seconds }
  ) {
    let events = EventLog(events, seed: seed, now: now)
    self.events = events
    engine = Locked(
      MockEngine(media: MediaFolder(limit: mediaLimit), events: events) {
        var state = dataSet.makeState(seed: seed)
        state.auth.key = SigningKey(seed: seed)
        state.seed = seed
        return state
      })
    activeFaults = Locked(faults)
    initialFaults = faults
    self.mediaLimit = mediaLimit
    self.seed = seed
    self.requiresTokens = requiresTokens
    self.meanings = meanings
    self.dataSet = dataSet
    self.now = now
    // A meaning that is due is found by the next request; streams of events send none.
    if meanings != .off { events.onTick { [weak self] in self?.withEngine { _ in } } }
  }

  /// The injected faults with the progress of each rule. Setting them restarts every rule.
  ///
  /// Faults apply to ``answer(_:clock:)``, and so to ``MockTransport`` and `nova serve`. ``respond(to:)`` ignores them.
  public var faults: Faults {
    get { withFaults { $0 } }
    set { withFaults { $0 = newValue.restarted } }
  }

  func withFaults<Result: Sendable>(_ body: (inout Faults) -> Result) -> Result {
    activeFaults.withLock { faults in body(&faults) }
  }

  func clearFaults() { withFaults { $0 = Faults(rules: [], seed: initialFaults.seed) } }

  /// The maximum size of a body from a file or a stream, in bytes.
  static let largestBody = 64 << 20

  /// Responds to a request immediately: without faults, and without the delays of stubs. Only the path and query of its
  /// URL matter. The body of a stored file is a region of the file. A request body that is not in memory is refused with the status 400: ``answer(_:clock:)`` and
  /// ``MockTransport`` read files and streams. A call whose response is a stream is refused, too.
  public func respond(to request: HTTPRequest) -> HTTPResponse {
    guard request.body.bytes != nil else {
      return MockFailure(.invalidArgument, "the body is not in memory: use MockBackend.answer or MockTransport")
        .response
    }
    let clock = ContinuousClock()
    let start = clock.moment
    let chunk = incomingChunk(request)
    chunk?.append(request.body.inMemory)
    let call = IncomingCall(request, chunk: chunk)
    let stub = matchingStub(call)
    let response = stub?.response(to: request) ?? perform(call, clock: nil).0
    record(call, response, fromStub: stub?.id, fault: nil, duration: start.duration(to: clock.moment), clock: clock)
    return response
  }
}

/// The system's clock.
public enum SystemTime {
  /// Unix seconds.
  public static var seconds: Int64 { Int64(ContinuousClock().unixTime) }
}

/// A transport that sends calls to a ``MockBackend`` instead of the network. It opens no socket.
///
/// The backend's ``MockBackend/faults`` appear as they would over a network: a late response, a lost connection, or a
/// call that hangs until it times out.
public struct MockTransport: HTTPTransport, MockingTransport {
  /// The backend.
  public let backend: MockBackend
  private let clock: any CallClock

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - backend: the backend. Default: a new one.
  ///   - clock: the clock for waits of faults. Default: the system's.
  public init(_ backend: MockBackend = MockBackend(), clock: any CallClock = ContinuousClock()) {
    self.backend = backend
    self.clock = clock
  }

  package var isMock: Bool { true }

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    var response = try await backend.answer(request, clock: clock)
    if request.streamsResponse { return response }
    let limit = request.limits.maximumResponseBytes
    do {
      let body = response.body
      if body.bytes != nil { return response }
      if response.isEventStream {
        let timeUp = TransportError(
          .totalTimeout, "the response did not end within \(request.limits.totalTimeout)", requestMayHaveLeft: true)
        response.body = try await Race.run(
          until: clock.now.advanced(by: request.limits.totalTimeout), clock, timeUp: timeUp
        ) { try await body.collected(upTo: limit) }
      } else {
        response.body = try await body.collected(upTo: limit)
      }
    } catch HTTPBodyError.tooLarge {
      throw TransportError(
        .responseTooLarge, "the response is larger than \(limit) bytes", requestMayHaveLeft: true)
    }
    return response
  }
}

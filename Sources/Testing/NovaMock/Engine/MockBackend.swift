import NovaCore

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
  private let engine: Locked<MockEngine>
  let log = Locked(RequestLog())
  let events: EventLog
  private let now: @Sendable () -> Int64
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
  let responses = Locked<(any CallResponder)?>(nil)
  let unmatched = Locked(UnmatchedRequests())
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

  // MARK: Faults

  /// The injected faults with the progress of each rule. Setting them restarts every rule.
  ///
  /// Faults apply to ``answer(_:clock:)``, and so to ``MockTransport`` and `nova serve`. ``respond(to:)`` ignores them.
  public var faults: Faults {
    get { activeFaults.withLock { $0 } }
    set { activeFaults.withLock { $0 = newValue.restarted } }
  }

  func clearFaults() { activeFaults.withLock { $0 = Faults(rules: [], seed: initialFaults.seed) } }

  /// Applies the fault of a call before and after `respond`, and logs the call.
  ///
  /// - Parameter planned: the faults, if they are decided already.
  nonisolated(nonsending) func faulted(
    _ call: consuming IncomingCall, planned: PlannedFaults? = nil,
    respond: nonisolated(nonsending) (inout IncomingCall) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    do throws(MockFailure) {
      if let planned { call.fault = try planned.plan.get() } else { call.fault = try faultPlan(of: call) }
    } catch {
      log.record(call, error.response)
      return error.response
    }
    var response: HTTPResponse?
    do {
      try await call.wait(for: call.fault.wait)
      switch call.fault.outcome {
      case .drop, .hang: break
      case .frames(let fault) where call.original != nil && !fault.executesCall: break
      case .status(let status, let retryAfter):
        response = call.fault.response(status: status, retryAfter: retryAfter, requestID: call.requestID)
      default:
        if call.fault.outcome == .newEpoch, call.rpc?.isServerStreaming == true { beginEventEpoch() }
        response = try await respond(&call)
      }
    } catch {
      log.record(call, nil)
      throw error
    }
    if call.fault.outcome == .dropAfter { response = nil }
    record(call, &response)
    if let response { return response }
    if call.fault.outcome == .hang { try await call.wait(for: nil) }
    if case .frames(let fault) = call.fault.outcome { throw fault }
    throw call.fault.connectionLost
  }

  /// Returns what faults do to a call: the one in its `Nova-Fault` header, or ``faults``.
  ///
  /// - Throws: ``MockFailure`` for an invalid header.
  private func faultPlan(of call: IncomingCall) throws(MockFailure) -> FaultPlan {
    try faultPlan(header: call.request.headers["Nova-Fault"], service: call.service, name: call.name, at: call.start)
  }

  func faultPlan(
    header: String?, service: String?, name: String?, at start: Moment
  ) throws(MockFailure) -> FaultPlan {
    guard let header else {
      let plan = activeFaults.withLock { faults in
        faults.isEmpty ? nil : faults.plan(service: service, rpc: name, at: start)
      }
      return plan ?? FaultPlan()
    }
    do throws(FaultRuleError) {
      let rule = try FaultRule(ofOneRequest: header)
      return activeFaults.withLock { $0.plan(rule) }
    } catch {
      throw MockFailure.invalid("the header Nova-Fault: \(error)")
    }
  }

  // MARK: The engine

  /// Runs `body` with the engine at the current time.
  func withEngine<Result: Sendable, Failure: Error>(
    _ body: (inout MockEngine) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var signals: [WakeSignal] = []
    defer { if !signals.isEmpty { wake(signals) } }
    return try engine.withLock { engine throws(Failure) in
      engine.state.now = now() + engine.state.clockOffset
      engine.state.caller = nil
      engine.state.requiresTokens = requiresTokens
      engine.state.mediaLimit = mediaLimit
      engine.state.meanings = meanings
      let before = (engine.replacements, engine.state.clockOffset)
      // Published at once, because the body may read events.
      if engine.state.writeDueMeanings() { signals = engine.publishEffects(since: before) }
      defer {
        if engine.state.clockOffset != before.1 {
          engine.state.now = now() + engine.state.clockOffset
          _ = engine.state.writeDueMeanings()
        }
        signals += engine.publishEffects(since: before)
      }
      return try body(&engine)
    }
  }

  func withState<Result: Sendable, Failure: Error>(
    _ body: (MockState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withEngine { engine throws(Failure) in try body(engine.state) }
  }

  // MARK: The journal

  /// Writes every change to a journal from now on. Call ``replay(_:)`` with its old lines first.
  package func attach(_ journal: any MockJournal) { withEngine { $0.journal = journal } }

  /// Replays a change from a journal, at the time of the change.
  ///
  /// - Throws: ``MockJournalError`` for an invalid line.
  package func replay(_ line: [UInt8]) throws(MockJournalError) {
    let change = try MockChange(line: line)
    try engine.withLock { engine throws(MockJournalError) in try engine.replay(change) }
  }

  /// Stores the bytes of uploads in a folder that outlives the process. Call it before ``replay(_:)``.
  package func use(_ folder: MediaFolder) { withEngine { $0.media = folder } }

  /// Returns once the journal has stored a change durably; at once for nil.
  func waitUntilDurable(_ position: Int64?) async throws(MockFailure) {
    guard let position else { return }
    do {
      try await engine.withLock { $0.journal }?.waitUntilDurable(position)
    } catch {
      throw MockFailure(.unavailable, "the change may be lost: \(error)")
    }
  }
}

extension MockEngine {
  /// Publishes what changes have caused, and returns the subscribers to wake outside of the lock.
  fileprivate mutating func publishEffects(since before: (replacements: Int, clockOffset: Int64)) -> [WakeSignal] {
    if state.effects.isEmpty, before == (replacements, state.clockOffset) { return [] }
    let effects = state.effects
    state.effects = MockEffects()
    // Positions of another state mean nothing.
    if replacements != before.replacements { return events.beginEpoch() + events.setClockOffset(state.clockOffset) }
    var signals = events.append(effects.events)
    if !effects.revokedUsers.isEmpty { signals += events.recheck(effects.revokedUsers) }
    if state.clockOffset != before.clockOffset { signals += events.setClockOffset(state.clockOffset) }
    return signals
  }
}

/// The system's clock.
public enum SystemTime {
  /// Unix seconds.
  public static var seconds: Int64 { Int64(ContinuousClock().unixTime) }
}

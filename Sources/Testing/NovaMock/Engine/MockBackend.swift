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
  /// The system's time, in Unix seconds.
  let systemTime: @Sendable () -> Int64
  /// How the clock starts.
  let clockStart: MockClockStart
  /// The time of rate limits.
  private let faultTime: Locked<FaultTime>
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
  let scenarioState = Locked(ScenarioState())
  /// The requests of the provider state that was set up last, and the values that they kept.
  let providerState = Locked(KeptValues())
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
  ///   - clock: how the backend's clock starts. Default: it shows the time that `now` returns.
  ///   - now: returns the time in Unix seconds from which the clock derives its own. Default: the system's time.
  public init(
    seed: UInt64 = 1, dataSet: MockDataSet = .guide, faults: Faults = .none, requiresTokens: Bool = false,
    meanings: MockMeanings = .off, mediaLimit: Int64 = 4 << 30, events: MockEventSettings = MockEventSettings(),
    clock: MockClockStart = .system, now: @escaping @Sendable () -> Int64 = { SystemTime.seconds }
  ) {
    // A frozen clock has one time, which every reset restores.
    let start = MockClockStart(at: clock.time ?? (clock.isFrozen ? now() : nil), isFrozen: clock.isFrozen)
    let clock = start.clock(at: now())
    let events = EventLog(events, seed: seed, clock: clock, now: now)
    self.events = events
    engine = Locked(
      MockEngine(media: MediaFolder(limit: mediaLimit), events: events) {
        var state = dataSet.makeState(seed: seed)
        state.auth.key = SigningKey(seed: seed)
        state.seed = seed
        state.clock = start.clock(at: now())
        return state
      })
    clockStart = start
    faultTime = Locked(FaultTime(isFrozen: clock.isFrozen))
    log.withLock { $0.clock = clock }
    activeFaults = Locked(faults)
    initialFaults = faults
    self.mediaLimit = mediaLimit
    self.seed = seed
    self.requiresTokens = requiresTokens
    self.meanings = meanings
    self.dataSet = dataSet
    systemTime = now
    // What is due happens at the next request; streams of events send none.
    events.onTick { [weak self] in
      if meanings != .off { self?.withEngine { _ in } }
      self?.performDueActions()
    }
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
    performDueActions()
    do throws(MockFailure) {
      if let planned = planned ?? call.chunk?.planned {
        call.fault = try planned.plan.get()
      } else {
        call.fault = try faultPlan(of: call)
      }
    } catch {
      log.record(call, error.response)
      return error.response
    }
    var response: HTTPResponse?
    do {
      try await call.waitForBody()
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
    if let response { return call.fault.paced(response, of: call) }
    if call.fault.outcome == .hang { try await call.wait(for: nil) }
    if case .frames(let fault) = call.fault.outcome { throw fault }
    throw call.fault.connectionLost
  }

  /// Returns what faults do to a call: the one in its `Nova-Fault` header, or ``faults``.
  ///
  /// - Throws: ``MockFailure`` for an invalid header.
  private func faultPlan(of call: IncomingCall) throws(MockFailure) -> FaultPlan {
    try faultPlan(
      header: call.request.headers["Nova-Fault"], service: call.service, name: call.name, at: call.start
    ) { RequestKey(call) }
  }

  /// - Parameter key: what tells the call from others, for chance in a scenario.
  func faultPlan(
    header: String?, service: String?, name: String?, at start: Moment, key: () -> RequestKey
  ) throws(MockFailure) -> FaultPlan {
    guard let header else {
      let plan = activeFaults.withLock { faults in
        faults.isEmpty
          ? nil : faults.plan(service: service, rpc: name, at: faultTime.withLock { $0.moment(at: start) })
      }
      var all = plan ?? FaultPlan()
      applyScenario(to: &all, (service, name), key: key)
      return all
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
      engine.state.now = engine.state.clock.time(at: systemTime())
      engine.state.caller = nil
      engine.state.requiresTokens = requiresTokens
      engine.state.mediaLimit = mediaLimit
      engine.state.meanings = meanings
      let before = (engine.replacements, engine.state.clock)
      // Published at once, because the body may read events.
      if engine.state.writeDueMeanings() { signals = engine.publishEffects(since: before) }
      defer {
        if engine.state.clock != before.1 {
          clockChanged(from: before.1, to: engine.state.clock, isReplaced: engine.replacements != before.0)
          engine.state.now = engine.state.clock.time(at: systemTime())
          _ = engine.state.writeDueMeanings()
        }
        signals += engine.publishEffects(since: before)
      }
      return try body(&engine)
    }
  }

  /// Updates everything that depends on the clock. A state that replaces another has its own clock, which did not move.
  private func clockChanged(from old: MockClock, to new: MockClock, isReplaced: Bool) {
    let time = systemTime()
    let seconds = isReplaced ? 0 : new.time(at: time) - old.time(at: time)
    faultTime.withLock { $0.follow(new, movedBy: seconds) }
    // Its own changes of the clock do not move it; see `scenarioFollows`.
    scenarioState.withLock { $0.run?.follow(new, movedBy: 0) }
    log.withLock { $0.clock = new }
  }

  /// Whether a fault may limit the bandwidth of requests.
  var limitsUploads: Bool {
    activeFaults.withLock { $0.limitsUploads } || scenarioState.withLock { $0.run?.limitsUploads() ?? false }
  }

  func withState<Result: Sendable, Failure: Error>(
    _ body: (MockState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withEngine { engine throws(Failure) in try body(engine.state) }
  }

  // MARK: The journal

  /// Writes every change to a journal from now on. Call ``replay(_:)`` with its old lines first.
  package func attach(_ journal: any MockJournal) {
    withEngine { engine in
      engine.journal = journal
      // The replayed changes may have changed the clock.
      let clock = engine.state.clock
      clockChanged(from: clock, to: clock, isReplaced: true)
      _ = events.setClock(clock)
    }
  }

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
  fileprivate mutating func publishEffects(since before: (replacements: Int, clock: MockClock)) -> [WakeSignal] {
    if state.effects.isEmpty, before == (replacements, state.clock) { return [] }
    let effects = state.effects
    state.effects = MockEffects()
    // Positions of another state mean nothing.
    if replacements != before.replacements { return events.beginEpoch() + events.setClock(state.clock) }
    var signals = events.append(effects.events)
    if !effects.revokedUsers.isEmpty { signals += events.recheck(effects.revokedUsers) }
    if effects.revokesAll { signals += events.recheckAll() }
    if state.clock != before.clock { signals += events.setClock(state.clock) }
    return signals
  }
}

/// The system's clock.
public enum SystemTime {
  /// Unix seconds.
  public static var seconds: Int64 { Int64(ContinuousClock().unixTime) }
}

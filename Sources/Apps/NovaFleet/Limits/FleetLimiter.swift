public import NovaSupport

/// Limits the calls of a fleet. Each machine leases several tokens at a time, so most calls only take a lock.
///
/// ```swift
/// let limit = try FleetLimit("gateway", rate: 500, burst: 500)
/// let limiter = FleetLimiter(limit, store: RedisLimitStore(redis))
/// let nova = NovaClient(configuration: configuration) { $0.middlewares.append(FleetLimitMiddleware(limiter)) }
/// ```
///
/// Calls without a token wait, those of high priority first, until there is one or their deadline comes. A call whose turn
/// comes after its deadline is refused as soon as that is known.
public final class FleetLimiter: Sendable {
  private struct Waiter {
    let turn: FirstResult<Void>
    let deadline: ContinuousClock.Instant?
  }

  private struct State {
    var tokens = 0
    /// When the tokens expire.
    var expiry: ContinuousClock.Instant?
    /// Until when no call may begin.
    var pausedUntil: ContinuousClock.Instant?
    /// Until when calls go through, because the store cannot be reached.
    var openUntil: ContinuousClock.Instant?
    var high = Queue<Waiter>()
    var normal = Queue<Waiter>()
    /// The tokens used since the last lease, for the size of the next one.
    var used = 0
    var isWorking = false
    /// Why the store could not be asked the last time.
    var failure: String?
    var isClosed = false

    mutating func popWaiter() -> Waiter? { high.popFirst() ?? normal.popFirst() }
  }

  /// The limit.
  public let limit: FleetLimit
  private let store: any FleetLimitStore
  private let clock: any CallClock
  private let state = Locked(State())

  /// Creates a limiter: one for each limit in a process.
  ///
  /// - Parameters:
  ///   - limit: the limit, the same on all machines.
  ///   - store: what the machines share.
  ///   - clock: the clock for deadlines and leases. Default: the system's.
  public init(_ limit: FleetLimit, store: any FleetLimitStore, clock: any CallClock = ContinuousClock()) {
    (self.limit, self.store, self.clock) = (limit, store, clock)
  }

  /// Waits for a token, and uses it.
  ///
  /// - Parameters:
  ///   - priority: how important the call is. Default normal.
  ///   - deadline: when waiting ends. Default: never.
  /// - Throws: ``FleetLimitError`` `deadline` if there is no token in time, `store` if the store could not be asked for one;
  ///   `closed`; `CancellationError`.
  public func acquire(
    priority: FleetPriority = .normal, until deadline: ContinuousClock.Instant? = nil
  ) async throws {
    let now = clock.now
    let (turn, needsWork) = try state.withLock { state throws -> (FirstResult<Void>?, Bool) in
      if state.isClosed { throw Self.closed }
      if isFree(&state, now) { return (nil, startWork(&state)) }
      let turn = FirstResult<Void>()
      let waiter = Waiter(turn: turn, deadline: deadline)
      if priority == .high { state.high.append(waiter) } else { state.normal.append(waiter) }
      return (turn, startWork(&state))
    }
    if needsWork { Task { await work() } }
    guard let turn else { return }
    let timer = deadline.map { deadline in
      Task {
        try await clock.sleep(until: deadline, tolerance: nil)
        turn.giveUp(self.late)
      }
    }
    defer { timer?.cancel() }
    try await turn.value()
  }

  private static let closed = FleetLimitError(.closed, "create another one")

  /// The error of a call whose deadline has come.
  private var late: FleetLimitError {
    let failure = state.withLock { $0.failure }
    return failure.map { FleetLimitError(.store, $0) }
      ?? FleetLimitError(.deadline, "the deadline passed while the call waited for its turn")
  }

  /// Uses a token, if the machine has one that no other call waits for.
  private func isFree(_ state: inout State, _ now: ContinuousClock.Instant) -> Bool {
    if let paused = state.pausedUntil, paused > now { return false }
    if let open = state.openUntil, open > now { return true }
    guard state.tokens > 0, state.high.isEmpty, state.normal.isEmpty, let expiry = state.expiry, expiry > now else {
      return false
    }
    state.tokens -= 1
    state.used += 1
    return true
  }

  /// Returns whether the caller must start ``work()``: a call waits, or half of a lease is used.
  private func startWork(_ state: inout State) -> Bool {
    guard !state.isWorking else { return false }
    guard !state.high.isEmpty || !state.normal.isEmpty || (state.tokens < state.used && limit.largestLease > 1) else {
      return false
    }
    state.isWorking = true
    return true
  }

  // MARK: Leases

  /// Leases tokens until no call waits.
  private func work() async {
    var repetition = Repetition(
      Pacing(Backoff(base: .milliseconds(100), maximum: .seconds(2)), floor: .milliseconds(50)))
    while let (count, priority) = nextRequest() {
      var pause = Duration.zero
      do {
        let sent = clock.now
        // The store may not have been told of the pause yet.
        let grant = if let pause = localPause() { pause } else { try await take(count, priority) }
        repetition.works()
        state.withLock { $0.failure = nil }
        receive(grant, sent)
        pause = Self.wait(after: grant, of: count, limit)
        if grant.tokens == 0 { refuse(after: grant.wait) }
      } catch {
        pause = repetition.failed(at: clock.now, random: .random(in: 0..<1))
        state.withLock { $0.failure = Self.reason(error) }
        if limit.storeFailure == .open { open(for: pause) }
      }
      if pause > .zero { try? await clock.sleep(until: clock.now.advanced(by: pause), tolerance: nil) }
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as FleetLimitError: error.message
    case let error as any NovaError: error.description
    default: "\(type(of: error))"
    }
  }

  /// How long to wait until the next lease. If the store had fewer tokens than wanted, some gather there, far fewer than it
  /// can hold: otherwise, machines would ask for each one. High priority that arrives in a long wait may use the reserve,
  /// so the wait is short.
  private static func wait(after grant: FleetGrant, of count: Int, _ limit: FleetLimit) -> Duration {
    if grant.tokens >= count { return .zero }
    let gathering = limit.leaseTime / 25
    if grant.tokens > 0 { return gathering }
    let longest = max(.milliseconds(100), min(grant.wait / 4, .seconds(1)))
    return min(max(grant.wait, gathering, .milliseconds(1)), longest)
  }

  /// The next lease; nil, and the work is over, if none is needed.
  private func nextRequest() -> (Int, FleetPriority)? {
    let now = clock.now
    let (request, unused) = state.withLock { state -> ((Int, FleetPriority)?, Int) in
      state.high = Queue(state.high.all.filter { !$0.turn.isFinished })
      state.normal = Queue(state.normal.all.filter { !$0.turn.isFinished })
      let unused = dropExpired(&state, now)
      let waiting = state.high.count + state.normal.count
      if state.isClosed || (waiting == 0 && (state.tokens >= state.used || state.used == 0)) {
        state.isWorking = false
        return (nil, unused)
      }
      let isHigh = !state.high.isEmpty
      // More than are waiting: what became free while this machine slept would be lost to callers that come one by one.
      let wanted = isHigh ? state.high.count : max(waiting, 2 * state.used, min(16, limit.largestLease / 4))
      state.used = 0
      return ((max(1, min(wanted, limit.largestLease)), isHigh ? .high : .normal), unused)
    }
    giveBack(unused)
    return request
  }

  private func dropExpired(_ state: inout State, _ now: ContinuousClock.Instant) -> Int {
    guard state.tokens > 0, let expiry = state.expiry, expiry <= now else { return 0 }
    defer { state.tokens = 0 }
    return state.tokens
  }

  private func take(_ count: Int, _ priority: FleetPriority) async throws -> FleetGrant {
    let timeUp = FleetLimitError(.store, "it did not answer within \(limit.storeTimeout)")
    return try await Race.run(until: clock.now.advanced(by: limit.storeTimeout), clock, timeUp: timeUp) {
      [store, limit] in try await store.take(count, of: limit, priority: priority)
    }
  }

  /// The rest of a pause that this machine has been asked for, as the store would report it.
  private func localPause() -> FleetGrant? {
    let now = clock.now
    let end = state.withLock { $0.pausedUntil }
    return end.flatMap { $0 > now ? FleetGrant(tokens: 0, wait: now.duration(to: $0)) : nil }
  }

  /// Gives tokens to those who wait, and keeps the rest.
  private func receive(_ grant: FleetGrant, _ sent: ContinuousClock.Instant) {
    let now = clock.now
    // The store has counted the tokens after `sent`.
    let expiry = sent.advanced(by: limit.leaseTime)
    // The pause began while the store answered.
    if localPause() != nil { return giveBack(grant.tokens) }
    var left = grant.tokens
    while left > 0, let waiter = state.withLock({ $0.popWaiter() }) {
      if waiter.turn.finish(.success(())) {
        left -= 1
        state.withLock { $0.used += 1 }
      }
    }
    state.withLock { state in
      state.openUntil = nil
      // One expiry for all: the earlier one, so that no token is used too late.
      if state.tokens == 0 || state.expiry.map({ $0 <= now }) ?? true {
        state.expiry = expiry
        state.tokens = 0
      }
      state.tokens += left
    }
    guard left > 0 else { return }
    Task { [weak self, clock] in
      try? await clock.sleep(until: expiry, tolerance: nil)
      self?.expire()
    }
  }

  private func expire() { giveBack(state.withLock { dropExpired(&$0, clock.now) }) }

  private func giveBack(_ count: Int) {
    if count > 0 { Task { [store, limit] in try? await store.giveBack(count, of: limit) } }
  }

  /// Refuses calls whose deadline comes before the next token.
  private func refuse(after wait: Duration) {
    let next = clock.now.advanced(by: wait)
    let late = state.withLock { state in
      (Array(state.high.all) + Array(state.normal.all)).filter { $0.deadline.map { $0 < next } ?? false }
    }
    for waiter in late {
      waiter.turn.giveUp(FleetLimitError(.deadline, "the next call can begin in \(wait), after the deadline"))
    }
  }

  /// Lets calls through while the store cannot be reached.
  private func open(for pause: Duration) {
    let waiters = state.withLock { state in
      let now = clock.now
      state.openUntil = now.advanced(by: pause + limit.storeTimeout)
      if let paused = state.pausedUntil, paused > now { return [Waiter]() }
      defer { (state.high, state.normal) = (Queue(), Queue()) }
      return Array(state.high.all) + Array(state.normal.all)
    }
    for waiter in waiters { waiter.turn.finish(.success(())) }
  }

  // MARK: Pauses

  /// Stops all machines, because the server asks for it. This machine stops at once; others before their next lease, so
  /// within ``FleetLimit/leaseTime``.
  ///
  /// - Parameter time: how long, at most one hour.
  public func pause(for time: Duration) {
    guard time > .zero else { return }
    let time = min(time, .seconds(3600))
    let end = clock.now.advanced(by: time)
    let unused = state.withLock { state -> Int in
      state.pausedUntil = max(end, state.pausedUntil ?? end)
      defer { state.tokens = 0 }
      return state.tokens
    }
    giveBack(unused)
    Task { [store, limit] in try? await store.pause(limit, for: time) }
  }

  /// Gives back unused tokens, and refuses calls from now on.
  public func shutdown() async {
    let (unused, waiters) = state.withLock { state in
      state.isClosed = true
      defer { (state.tokens, state.high, state.normal) = (0, Queue(), Queue()) }
      return (state.tokens, Array(state.high.all) + Array(state.normal.all))
    }
    for waiter in waiters { waiter.turn.finish(.failure(Self.closed)) }
    if unused > 0 { try? await store.giveBack(unused, of: limit) }
  }
}

import NovaCore
import NovaFleet
import NovaLibc
import NovaTestSupport
import Testing

/// What failures do to a fleet's limit. Several limiters are several machines; those that die are processes.
@Suite(.serialized, .hangLimit) struct LimitOutcomeTests {
  private static func machine(_ store: FailingStore, isPatient: Bool = true) async throws -> any FleetLimitStore {
    if store.engine == .redis { return RedisLimitStore(try store.redisPool(isPatient: isPatient)) }
    try await PostgreSQLLimitStore(try store.postgreSQLPool(isPatient: true)).createSchema()
    return PostgreSQLLimitStore(try store.postgreSQLPool(isPatient: isPatient))
  }

  // MARK: The store is away

  @Test(arguments: FleetOutcome.engines(.partition, of: .limits)) func partition(_ engine: FleetEngine) async throws {
    FleetOutcome.expect(.partition, of: .limits, on: engine, try await away(engine, .partition))
  }

  @Test(arguments: FleetOutcome.engines(.frozenStore, of: .limits)) func frozen(_ engine: FleetEngine) async throws {
    FleetOutcome.expect(.frozenStore, of: .limits, on: engine, try await away(engine, .frozenStore))
  }

  @Test(arguments: FleetOutcome.engines(.storeDown, of: .limits)) func down(_ engine: FleetEngine) async throws {
    FleetOutcome.expect(.storeDown, of: .limits, on: engine, try await away(engine, .storeDown))
  }

  @Test(arguments: FleetOutcome.engines(.fullMemory, of: .limits)) func fullMemory(_ engine: FleetEngine) async throws {
    FleetOutcome.expect(.fullMemory, of: .limits, on: engine, try await away(engine, .fullMemory))
  }

  @Test(arguments: FleetOutcome.engines(.fullDisk, of: .limits)) func fullDisk(_ engine: FleetEngine) async throws {
    FleetOutcome.expect(.fullDisk, of: .limits, on: engine, try await away(engine, .fullDisk))
  }

  private func away(_ engine: FleetEngine, _ failure: FleetFailure) async throws -> [OutcomeFact] {
    let store = try FailingStore(engine, for: failure)
    let limits = try await Self.machine(store, isPatient: false)
    let open = FleetLimiter(try FleetLimit("open", rate: 10, storeTimeout: .milliseconds(200)), store: limits)
    let closed = FleetLimiter(
      try FleetLimit("closed", rate: 10, storeFailure: .closed, storeTimeout: .milliseconds(200)), store: limits)
    try await waitUntil { (try? await open.acquire(until: .now + .seconds(5))) != nil }
    try await waitUntil { (try? await closed.acquire(until: .now + .seconds(5))) != nil }
    try await store.begin(failure)
    var facts: [OutcomeFact] = []
    // Ten times the burst.
    if await Self.calls(open, 100, within: .seconds(60)) == 100 { facts.append(.openCallsGoThrough) }
    if await Self.calls(closed, 100, within: .milliseconds(500)) < 100 { facts.append(.closedCallsAreRefused) }
    try await store.end(failure)
    // Both limits hold, and calls get through again.
    try await waitUntil { await Self.calls(open, 100, within: .milliseconds(10)) < 100 }
    try await waitUntil { await Self.calls(closed, 1, within: .seconds(5)) == 1 }
    if await Self.calls(closed, 100, within: .milliseconds(10)) < 100 { facts.append(.limitHolds) }
    await open.shutdown()
    await closed.shutdown()
    return facts
  }

  /// The number of calls that get a token, one after the other, until one does not.
  private static func calls(_ limiter: FleetLimiter, _ count: Int, within time: Duration) async -> Int {
    for number in 0..<count where (try? await limiter.acquire(until: .now + time)) == nil { return number }
    return count
  }

  // MARK: The store has other data

  /// So slow that a test sees only its burst.
  private static func slowLimit() throws -> FleetLimit {
    try FleetLimit("slow", rate: 0.0001, burst: 10, reserve: 0, leaseTime: .zero)
  }

  /// All tokens that there are.
  private static func takeAll(_ limits: any FleetLimitStore) async throws -> Int {
    let limit = try slowLimit()
    var tokens: Int?
    try await waitUntil {
      tokens = try? await limits.take(100, of: limit, priority: .high).tokens
      return tokens != nil
    }
    return tokens ?? 0
  }

  @Test(arguments: FleetOutcome.engines(.restarted, of: .limits)) func restarted(_ engine: FleetEngine) async throws {
    let store = try FailingStore(engine, for: .restarted)
    let limits = try await Self.machine(store)
    #expect(try await Self.takeAll(limits) == 10)
    try await store.restart()
    let isKept = try await Self.takeAll(limits) == 0
    FleetOutcome.expect(.restarted, of: .limits, on: engine, isKept ? [.limitContinues] : [])
  }

  @Test(arguments: FleetOutcome.engines(.dataLost, of: .limits)) func dataLost(_ engine: FleetEngine) async throws {
    let store = try FailingStore(engine, for: .dataLost)
    let limits = try await Self.machine(store)
    #expect(try await Self.takeAll(limits) == 10)
    try await store.begin(.dataLost)
    let tokens = [try await Self.takeAll(limits), try await Self.takeAll(limits)]
    FleetOutcome.expect(.dataLost, of: .limits, on: engine, tokens == [10, 0] ? [.oneMoreBurst] : [])
  }

  @Test func failedOver() async throws {
    let pair = try await RedisPair()
    let limits = RedisLimitStore(try pair.pool())
    try await pair.separate()
    #expect(try await Self.takeAll(limits) == 10)
    try await pair.failOver()
    var tokens = [try await Self.takeAll(limits), try await Self.takeAll(limits)]
    try await pair.bringBack()
    tokens.append(try await Self.takeAll(limits))
    FleetOutcome.expect(.failedOver, of: .limits, on: .redis, tokens == [10, 0, 0] ? [.oneMoreBurst] : [])
  }

  @Test(arguments: FleetOutcome.engines(.wrongClocks, of: .limits)) func clocks(_ engine: FleetEngine) async throws {
    let store = try FailingStore(engine, for: .wrongClocks)
    let limit = try FleetLimit(
      "slow", rate: 0.0001, burst: 10, reserve: 0, leaseTime: .zero, storeFailure: .closed, storeTimeout: .seconds(60))
    var tokens = 0
    for offset in [-600.0, 0, 600] {
      let clock = WrongClock(seconds: offset)
      let limiter = FleetLimiter(limit, store: try await Self.machine(store), clock: clock)
      // The next token comes in hours, so it is refused as soon as the store has answered.
      while (try? await limiter.acquire(until: .now + .seconds(60))) != nil { tokens += 1 }
      await limiter.shutdown()
    }
    FleetOutcome.expect(.wrongClocks, of: .limits, on: engine, tokens == 10 ? [.oneBudget] : [])
  }

  // MARK: A machine dies

  /// A machine that leases 5 tokens, uses one of them, and then dies or stops.
  private func holder(_ store: FailingStore, _ option: String, of limit: FleetLimit) throws -> ProgramRun {
    try ProgramRun(
      ["limit", store.engine.rawValue, store.url, option, "\(limit.rate)", "\(limit.leaseTime / .seconds(1))"],
      executable: ProgramRun.program("FleetMachine"))
  }

  /// The limit of ``holder(_:_:of:)``.
  private static func limit(rate: Double, lease: Int64) throws -> FleetLimit {
    try FleetLimit("held", rate: rate, burst: 100, reserve: 0, leaseTime: .seconds(lease))
  }

  @Test(arguments: FleetOutcome.engines(.killedMachine, of: .limits)) func killed(_ engine: FleetEngine) async throws {
    let store = try FailingStore(engine, for: .killedMachine)
    let (limits, limit) = (try await Self.machine(store), try Self.limit(rate: 1, lease: 20))
    let start = ContinuousClock.now
    #expect(try await holder(store, "--kill", of: limit).result().lines == ["call"])
    let tokens = try await limits.take(100, of: limit, priority: .high).tokens
    // The store has 80, of which the killed one has leased 5; one comes each second.
    let isLost = (75...min(80, 76 + Int(start.duration(to: .now) / .seconds(1)))).contains(tokens)
    FleetOutcome.expect(.killedMachine, of: .limits, on: engine, isLost ? [.tokensExpire] : [])
  }

  @Test(arguments: FleetOutcome.engines(.stoppedMachine, of: .limits)) func stopped(_ engine: FleetEngine) async throws
  {
    let store = try FailingStore(engine, for: .stoppedMachine)
    let (limits, limit) = (try await Self.machine(store), try Self.limit(rate: 20, lease: 1))
    let run = try holder(store, "--stop", of: limit)
    try await waitUntil { run.isStopped }
    // Nothing is granted any more, so it could only use what it has leased.
    try await limits.pause(limit, for: .seconds(3600))
    try await Task.sleep(for: .milliseconds(1100))
    run.signal(SIGCONT)
    let result = try await run.result()
    let isRefused = result.lines == ["call", "refused"]
    #expect(isRefused, "\(result)")
    FleetOutcome.expect(
      .stoppedMachine, of: .limits, on: engine, isRefused ? [.noTokenOfTheLeaseIsUsed] : [])
  }
}

import NovaCore
import NovaFleet
import NovaLibc
import NovaRedis
import NovaTestSupport
import Testing

/// What failures do to a fleet's cache. Several caches are several machines; those that die are processes.
@Suite(.serialized, .hangLimit) struct CacheOutcomeTests {
  private static func machine(
    _ pool: RedisPool, delay: Duration = .seconds(60), clock: any CallClock = ContinuousClock()
  ) throws -> FleetCache {
    var options = FleetCache.Options()
    (options.maximumDelay, options.pause, options.loadTime) = (delay, .milliseconds(20), .seconds(60))
    options.eagerness = 0
    let keys = try FleetKeys(names: FleetSessionsTests.key, sealing: [("1", FleetSessionsTests.key)])
    return FleetCache(pool, messages: nil, sealing: keys, options: options, clock: clock)
  }

  /// What a machine gets for a name, if it would load `value`.
  private static func value(_ cache: FleetCache, _ name: String, loading value: UInt8) async throws -> UInt8? {
    try await cache.value(for: FleetCacheKey(name, identity: "ada", schema: 1), for: .seconds(600)) { [value] }.first
  }

  /// What machines get, each of which would load another number.
  private static func values(_ machines: [FleetCache], loading loaded: [UInt8]) async throws -> [UInt8?] {
    var values: [UInt8?] = []
    for (machine, number) in zip(machines, loaded) { values.append(try await value(machine, "a", loading: number)) }
    return values
  }

  // MARK: The store is away

  @Test(arguments: FleetOutcome.engines(.partition, of: .cache)) func partition(_ engine: FleetEngine) async throws {
    FleetOutcome.expect(.partition, of: .cache, on: engine, try await away(engine, .partition))
  }

  @Test(arguments: FleetOutcome.engines(.frozenStore, of: .cache)) func frozen(_ engine: FleetEngine) async throws {
    FleetOutcome.expect(.frozenStore, of: .cache, on: engine, try await away(engine, .frozenStore))
  }

  @Test(arguments: FleetOutcome.engines(.storeDown, of: .cache)) func down(_ engine: FleetEngine) async throws {
    FleetOutcome.expect(.storeDown, of: .cache, on: engine, try await away(engine, .storeDown))
  }

  @Test(arguments: FleetOutcome.engines(.fullMemory, of: .cache)) func fullMemory(_ engine: FleetEngine) async throws {
    FleetOutcome.expect(.fullMemory, of: .cache, on: engine, try await away(engine, .fullMemory))
  }

  private func away(_ engine: FleetEngine, _ failure: FleetFailure) async throws -> [OutcomeFact] {
    let store = try FailingStore(engine, for: failure)
    let machines = try (0..<2).map { _ in try Self.machine(try store.redisPool(), delay: .milliseconds(500)) }
    try await store.begin(failure)
    var facts: [OutcomeFact] = []
    let values = try await Self.values(machines, loading: [1, 2])
    if values == [1, 2] { facts.append(.eachMachineLoads) }
    try await store.end(failure)
    var number = 0
    try await waitUntil {
      number += 1
      let first = try await Self.value(machines[0], "after \(number)", loading: 3)
      let second = try await Self.value(machines[1], "after \(number)", loading: 4)
      return first == 3 && second == 3
    }
    facts.append(.valuesAreShared)
    return facts
  }

  // MARK: The store has other data

  @Test(arguments: FleetOutcome.engines(.restarted, of: .cache)) func restarted(_ engine: FleetEngine) async throws {
    let store = try FailingStore(engine, for: .restarted)
    let pool = try store.redisPool(isPatient: true)
    let machines = [try Self.machine(pool), try Self.machine(pool)]
    #expect(try await Self.values(machines, loading: [1, 2]) == [1, 1])
    try await store.restart()
    try await waitUntil { (try? await pool.send(["PING"])) != nil }
    let values = try await Self.values(machines, loading: [3, 4])
    FleetOutcome.expect(.restarted, of: .cache, on: engine, values == [1, 1] ? [.valuesStay] : [])
  }

  @Test(arguments: FleetOutcome.engines(.dataLost, of: .cache)) func dataLost(_ engine: FleetEngine) async throws {
    let store = try FailingStore(engine, for: .dataLost)
    let machines = [
      try Self.machine(try store.redisPool(isPatient: true)), try Self.machine(try store.redisPool(isPatient: true)),
    ]
    #expect(try await Self.values(machines, loading: [1, 2]) == [1, 1])
    try await store.begin(.dataLost)
    let values = try await Self.values(machines, loading: [3, 4])
    FleetOutcome.expect(.dataLost, of: .cache, on: engine, values == [3, 3] ? [.valuesAreLoadedAgainOnce] : [])
  }

  @Test func failedOver() async throws {
    let pair = try await RedisPair()
    let pool = try pair.pool()
    let machines = [try Self.machine(pool), try Self.machine(pool)]
    try await pair.separate()
    #expect(try await Self.values(machines, loading: [1, 2]) == [1, 1])
    try await pair.failOver()
    try await waitUntil { (try? await pool.send(["PING"])) != nil }
    var values = try await Self.values(machines, loading: [3, 4])
    try await pair.bringBack()
    values += try await Self.values(machines, loading: [5, 6])
    FleetOutcome.expect(
      .failedOver, of: .cache, on: .redis, values == [3, 3, 3, 3] ? [.valuesAreLoadedAgainOnce] : [])
  }

  @Test(arguments: FleetOutcome.engines(.wrongClocks, of: .cache)) func clocks(_ engine: FleetEngine) async throws {
    let store = try FailingStore(engine, for: .wrongClocks)
    let machines = try [-600.0, 0, 600].map { seconds in
      try Self.machine(try store.redisPool(isPatient: true), clock: WrongClock(seconds: seconds))
    }
    let values = try await Self.values(machines, loading: [1, 2, 3])
    FleetOutcome.expect(.wrongClocks, of: .cache, on: engine, values == [1, 1, 1] ? [.oneValue] : [])
  }

  // MARK: A machine dies

  /// A machine that dies or stops while it loads.
  private func loader(_ store: FailingStore, _ option: String) throws -> ProgramRun {
    try ProgramRun(["cache", store.url, option], executable: ProgramRun.program("FleetMachine"))
  }

  @Test(arguments: FleetOutcome.engines(.killedMachine, of: .cache)) func killed(_ engine: FleetEngine) async throws {
    let store = try FailingStore(engine, for: .killedMachine)
    #expect(try await loader(store, "--kill").result().lines == ["loading"])
    let value = try await Self.value(Self.machine(try store.redisPool(isPatient: true)), "held", loading: 2)
    FleetOutcome.expect(.killedMachine, of: .cache, on: engine, value == 2 ? [.otherMachineLoads] : [])
  }

  @Test(arguments: FleetOutcome.engines(.stoppedMachine, of: .cache)) func stopped(_ engine: FleetEngine) async throws {
    let store = try FailingStore(engine, for: .stoppedMachine)
    let machine = try Self.machine(try store.redisPool(isPatient: true))
    let run = try loader(store, "--stop")
    try await waitUntil { run.isStopped }
    var facts: [OutcomeFact] = []
    if try await Self.value(machine, "held", loading: 2) == 2 { facts.append(.otherMachineLoads) }
    run.signal(SIGCONT)
    // It returns what it has loaded to its own caller.
    let isReturned = try await run.result().lines == ["loading", "value 1"]
    let stored = try await Self.value(machine, "held", loading: 3)
    if isReturned, stored == 2 { facts.append(.lateValueIsNotStored) }
    FleetOutcome.expect(.stoppedMachine, of: .cache, on: engine, facts)
  }
}

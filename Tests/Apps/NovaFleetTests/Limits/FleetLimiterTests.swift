import NovaFleet
import NovaPostgreSQL
import NovaRedis
import NovaSupport
import NovaTestSupport
import Testing

/// A fleet's limit with a real store: several limiters are several machines.
@Suite(.hangLimit) struct FleetLimiterTests {
  @Test(arguments: [1, 2, 8]) func theBudgetIsNeverExceeded(machines: Int) async throws {
    let server = try PostgreSQLServer()
    let pool = try PostgreSQLPool(
      server.url, options: PostgreSQLPoolOptions(acquireTimeout: .seconds(60), outageTimeout: .seconds(60)))
    let store = PostgreSQLLimitStore(pool)
    try await store.createSchema()
    try await store.createSchema()
    let limit = try FleetLimit(
      "t", rate: 400, burst: 200, reserve: 0, storeFailure: .closed, storeTimeout: .seconds(30))
    let clock = ContinuousClock()
    let start = clock.now
    let used = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<machines {
        group.addTask {
          let limiter = FleetLimiter(limit, store: store)
          let end = clock.now.advanced(by: .seconds(3))
          var count = 0
          while clock.now < end {
            do { try await limiter.acquire(until: end) } catch is FleetLimitError { break }
            count += 1
          }
          await limiter.shutdown()
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    let time = start.duration(to: clock.now) / .seconds(1)
    // How much of it is used is measured without other tests: Benchmarks/fleet-limits.
    print("\(machines) machines used \(used) of \(Int(400 * time)) calls in \(time) s")
    #expect(Double(used) <= 400 * time + 200)
    await pool.shutdown()
  }

  @Test func theReserveIsForHighPriority() async throws {
    let server = try PostgreSQLServer()
    let pool = try PostgreSQLPool(server.url)
    let store = PostgreSQLLimitStore(pool)
    try await store.createSchema()
    let limit = try FleetLimit("t", rate: 0.001, burst: 10, reserve: 0.5, leaseTime: .zero)
    #expect(try await store.take(100, of: limit, priority: .normal).tokens == 5)
    #expect(try await store.take(100, of: limit, priority: .normal).tokens == 0)
    #expect(try await store.take(3, of: limit, priority: .high).tokens == 3)
    try await store.giveBack(3, of: limit)
    #expect(try await store.take(100, of: limit, priority: .high).tokens == 5)
    try await store.giveBack(10, of: limit)
    try await store.pause(limit, for: .seconds(100))
    let paused = try await store.take(1, of: limit, priority: .high)
    #expect(paused.tokens == 0)
    #expect(paused.wait > .seconds(1))
    await pool.shutdown()
  }

  /// After a failover to a server whose clock is behind, or when a clock is set.
  @Test func aPauseNeitherBeginsAgainNorLastsForHours() async throws {
    let (server, redisServer) = (try PostgreSQLServer(), try RedisServer())
    let (pool, redis) = (try PostgreSQLPool(server.url), try RedisPool.patient(redisServer.url))
    let store = PostgreSQLLimitStore(pool)
    try await store.createSchema()
    try await checkPauses(of: store) {
      try server.ask("UPDATE nova.limits SET pause = \($0)")
    } read: {
      Double(try server.ask("SELECT pause FROM nova.limits")) ?? -1
    }
    let key: RedisArgument = "nova:limit:{t}"
    try await checkPauses(of: RedisLimitStore(redis)) {
      _ = try await redis.send(["HSET", key, "pause", RedisArgument($0)])
    } read: {
      Double(try await redis.send(["HGET", key, "pause"]).text ?? "") ?? -1
    }
    await pool.shutdown()
  }

  /// - Parameters:
  ///   - set: writes the end of a pause into the store, in µs.
  ///   - read: reads it.
  private func checkPauses(
    of store: any FleetLimitStore, set: (Int64) async throws -> Void, read: () async throws -> Double
  ) async throws {
    let limit = try FleetLimit("t", rate: 1, burst: 1000)
    func take() async throws -> FleetGrant { try await store.take(1, of: limit, priority: .normal) }
    #expect(try await take().tokens == 1)
    let now = Int64(ContinuousClock().unixTime * 1_000_000)
    try await set(now - 1_000_000)
    #expect(try await take().tokens == 1)
    #expect(try await read() == 0)
    try await set(now + 10 * 3_600_000_000)
    let wait = try await take().wait
    #expect(wait > .seconds(3000) && wait <= .seconds(3600))
    #expect(try await read() < Double(now) + 2 * 3_600_000_000)
  }

  /// A store that fails.
  private struct BrokenStore: FleetLimitStore {
    func take(_ count: Int, of limit: FleetLimit, priority: FleetPriority) async throws -> FleetGrant {
      throw FleetLimitError(.store, "it is broken")
    }
    func giveBack(_ count: Int, of limit: FleetLimit) async throws {}
    func pause(_ limit: FleetLimit, for time: Duration) async throws {}
  }

  /// A store that has everything.
  private struct FullStore: FleetLimitStore {
    func take(_ count: Int, of limit: FleetLimit, priority: FleetPriority) async throws -> FleetGrant {
      FleetGrant(tokens: count)
    }
    func giveBack(_ count: Int, of limit: FleetLimit) async throws {}
    func pause(_ limit: FleetLimit, for time: Duration) async throws {}
  }

  @Test func callsCostLittle() async throws {
    let limiter = FleetLimiter(try FleetLimit("t", rate: 10_000), store: FullStore())
    let start = ContinuousClock.now
    for _ in 0..<100_000 { try await limiter.acquire() }
    print("a call costs \(start.duration(to: .now) / 100_000)")
    limiter.pause(for: .seconds(3600))
    await #expect(throws: FleetLimitError.self) {
      try await limiter.acquire(until: ContinuousClock().now.advanced(by: .milliseconds(50)))
    }
    await limiter.shutdown()
  }

  @Test func aBrokenStoreOpensOrCloses() async throws {
    let open = FleetLimiter(try FleetLimit("t", rate: 1), store: BrokenStore())
    for _ in 0..<100 { try await open.acquire() }
    let clock = ManualClock()
    let closed = FleetLimiter(
      try FleetLimit("t", rate: 1, storeFailure: .closed), store: BrokenStore(), clock: clock)
    let call = Task { try await closed.acquire(until: clock.now.advanced(by: .seconds(60))) }
    // The call's deadline, and the next look at the store.
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(60))
    await #expect(throws: FleetLimitError(.store, "it is broken")) { try await call.value }
    await closed.shutdown()
    await open.shutdown()
  }
}

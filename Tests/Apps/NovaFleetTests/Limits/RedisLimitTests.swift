import NovaFleet
import NovaRedis
import NovaSupport
import NovaTestSupport
import Testing

/// A fleet's limit in a real Redis: several limiters are several machines.
@Suite(.hangLimit) struct RedisLimitTests {
  @Test(arguments: [1, 2, 8, 32]) func theBudgetIsNeverExceeded(machines: Int) async throws {
    let server = try RedisServer()
    let limit = try FleetLimit(
      "t", rate: 400, burst: 200, reserve: 0, storeFailure: .closed, storeTimeout: .seconds(60))
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<machines {
        group.addTask {
          let redis = try pool(server)
          let limiter = FleetLimiter(limit, store: RedisLimitStore(redis))
          for _ in 0..<(960 / machines) { try await limiter.acquire() }
          await limiter.shutdown()
          await redis.shutdown()
        }
      }
      try await group.waitForAll()
    }
    // How much of it is used is measured without other tests: Benchmarks/fleet-limits.
    #expect(960 <= 400 * (start.duration(to: .now) / .seconds(1)) + 200)
  }

  /// A pool that waits long enough for a machine with other work.
  private func pool(_ server: RedisServer) throws -> RedisPool {
    var options = RedisPool.Options()
    (options.timeout, options.connectTimeout) = (.seconds(60), .seconds(60))
    return try RedisPool(url: server.url, options: options)
  }

  @Test func theReserveIsForHighPriority() async throws {
    let server = try RedisServer()
    let redis = try pool(server)
    let store = RedisLimitStore(redis)
    let limit = try FleetLimit("t", rate: 0.001, burst: 10, reserve: 0.5, leaseTime: .zero)
    #expect(try await store.take(100, of: limit, priority: .normal).tokens == 5)
    let none = try await store.take(100, of: limit, priority: .normal)
    #expect(none.tokens == 0)
    #expect(none.wait > .seconds(900))
    #expect(none.wait <= .seconds(1000))
    #expect(try await store.take(3, of: limit, priority: .high).tokens == 3)
    try await store.giveBack(3, of: limit)
    #expect(try await store.take(100, of: limit, priority: .high).tokens == 5)
    try await store.giveBack(10, of: limit)
    // A longer pause stays.
    try await store.pause(limit, for: .seconds(100))
    try await store.pause(limit, for: .seconds(1))
    let paused = try await store.take(1, of: limit, priority: .high)
    #expect(paused.tokens == 0)
    #expect(paused.wait > .seconds(10))
    // Another limit, and the same one of another application.
    #expect(try await store.take(1, of: FleetLimit("u", rate: 1), priority: .normal).tokens == 1)
    #expect(try await RedisLimitStore(redis, prefix: "other:").take(1, of: limit, priority: .normal).tokens == 1)
    // Without its data, it begins again.
    _ = try await redis.send(["FLUSHALL"])
    #expect(try await store.take(100, of: limit, priority: .normal).tokens == 5)
    await redis.shutdown()
  }

  @Test func aPauseOfOneMachineStopsTheOther() async throws {
    let server = try RedisServer()
    let (redis, otherRedis) = (try pool(server), try pool(server))
    let limit = try FleetLimit("t", rate: 1000, leaseTime: .milliseconds(50), storeTimeout: .seconds(60))
    let limiter = FleetLimiter(limit, store: RedisLimitStore(redis))
    let other = FleetLimiter(limit, store: RedisLimitStore(otherRedis))
    try await limiter.acquire()
    try await other.acquire()
    limiter.pause(for: .seconds(3600))
    try await waitUntil {
      do {
        try await other.acquire(until: ContinuousClock.now.advanced(by: .seconds(60)))
        return false
      } catch is FleetLimitError { return true }
    }
    await limiter.shutdown()
    await other.shutdown()
    await redis.shutdown()
    await otherRedis.shutdown()
  }

  @Test(arguments: [FleetLimit.StoreFailure.open, .closed]) func aHangingStore(failure: FleetLimit.StoreFailure)
    async throws
  {
    let server = try RedisServer()
    let redis = try pool(server)
    let limit = try FleetLimit("t", rate: 10, burst: 10, storeFailure: failure, storeTimeout: .milliseconds(200))
    let limiter = FleetLimiter(limit, store: RedisLimitStore(redis))
    try await limiter.acquire()
    server.freeze()
    if failure == .open {
      for _ in 0..<100 { try await limiter.acquire() }
    } else {
      await #expect(throws: FleetLimitError.self) {
        for _ in 0..<100 { try await limiter.acquire(until: ContinuousClock.now.advanced(by: .milliseconds(500))) }
      }
    }
    server.thaw()
    // The limit holds again.
    try await waitUntil {
      do {
        for _ in 0..<100 { try await limiter.acquire(until: ContinuousClock.now.advanced(by: .milliseconds(10))) }
        return false
      } catch is FleetLimitError { return true }
    }
    await limiter.shutdown()
    await redis.shutdown()
  }

  @Test func aStoreThatComesBackIsUsedAgain() async throws {
    let server = try RedisServer()
    let redis = try pool(server)
    let limit = try FleetLimit("t", rate: 1000, storeFailure: .closed, storeTimeout: .seconds(60))
    let limiter = FleetLimiter(limit, store: RedisLimitStore(redis))
    try await limiter.acquire()
    server.stop()
    let calls = Task { for _ in 0..<600 { try await limiter.acquire() } }
    try server.start()
    try await calls.value
    await limiter.shutdown()
    await redis.shutdown()
  }
}

import NovaFleet
import NovaLibc
import NovaPostgreSQL
import NovaRedis

/// A machine that kills or stops itself while it holds what others wait for.
enum DyingHolder {
  /// Arguments: the engine, the server's URL, `--kill` or `--stop`, the limit's rate, and the seconds of a lease.
  static func useLimit(_ arguments: [String]) async throws {
    let limit = try FleetLimit(
      "held", rate: Double(arguments[3]) ?? 1, burst: 100, reserve: 0, leaseTime: .seconds(Double(arguments[4]) ?? 1),
      storeFailure: .closed, storeTimeout: .seconds(30))
    let isRedis = arguments[0] == "redis"
    let store: any FleetLimitStore =
      isRedis
      ? RedisLimitStore(try redis(arguments[1])) : PostgreSQLLimitStore(try PostgreSQLPool(arguments[1]))
    let limiter = FleetLimiter(limit, store: store)
    try await limiter.acquire()
    FleetMachine.print("call")
    end(arguments[2])
    do {
      try await limiter.acquire(until: .now + .seconds(1))
      FleetMachine.print("call")
    } catch is FleetLimitError { FleetMachine.print("refused") }
  }

  /// Arguments: the URL of Redis, and `--kill` or `--stop`.
  static func load(_ arguments: [String]) async throws {
    let key = String(repeating: "a1", count: 32)
    var options = FleetCache.Options()
    (options.maximumDelay, options.loadTime) = (.seconds(30), .seconds(1))
    let cache = FleetCache(
      try redis(arguments[0]), messages: nil, sealing: try FleetKeys(names: key, sealing: [("1", key)]),
      options: options)
    let value = try await cache.value(for: FleetCacheKey("held", identity: "ada", schema: 1), for: .seconds(600)) {
      FleetMachine.print("loading")
      end(arguments[1])
      return [1]
    }
    FleetMachine.print("value \(value[0])")
  }

  private static func redis(_ url: String) throws -> RedisPool {
    var options = RedisPool.Options()
    (options.timeout, options.connectTimeout) = (.seconds(30), .seconds(30))
    return try RedisPool(url: url, options: options)
  }

  /// To this thread, which then does not run on.
  private static func end(_ option: String) { raise(option == "--kill" ? SIGKILL : SIGSTOP) }
}

import NovaFleet
import NovaPostgreSQL
import NovaRedis

/// Machines that share a limit.
enum Limits {
  /// Callers that each call as often as they may, from a moment of CLOCK_MONOTONIC in ns; prints when each call began.
  static func use(_ arguments: [String]) async throws {
    guard arguments.count == 6, let rate = Double(arguments[1]), let burst = Int(arguments[2]),
      let start = Int(arguments[3]), let seconds = Int(arguments[4]), let callers = Int(arguments[5])
    else { throw Usage() }
    let limit = try FleetLimit("fleet", rate: rate, burst: burst, reserve: 0, storeFailure: .closed)
    let limiter = FleetLimiter(limit, store: try store(arguments[0]))
    try await use(limiter, start: start, seconds: seconds, callers: callers)
  }

  /// Calls at a rate that is less than the limit; prints the CPU time of a call, with all leases.
  static func cost(_ arguments: [String]) async throws {
    guard arguments.count == 3, let rate = Double(arguments[1]), let seconds = Int(arguments[2]) else { throw Usage() }
    try await measureCost(of: try store(arguments[0]), rate: rate, seconds: seconds)
  }

  /// A store of limits.
  static func store(_ url: String, _ count: StoreCount = StoreCount()) throws -> any FleetLimitStore {
    if url.hasPrefix("redis") { return RedisLimitStore(CountingRedis(pool: try RedisPool(url: url), count: count)) }
    let pool = try PostgreSQLPool(url, options: PostgreSQLPoolOptions(maximumConnections: 2))
    return PostgreSQLLimitStore(CountingPostgreSQL(pool: pool, count: count))
  }

  private static func use(_ limiter: FleetLimiter, start: Int, seconds: Int, callers: Int) async throws {
    let wait = max(0, start - monotonicTime())
    let first = ContinuousClock.now.advanced(by: .nanoseconds(wait))
    let end = first.advanced(by: .seconds(seconds))
    try await Task.sleep(until: first)
    let times = try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<callers {
        group.addTask {
          var times: [Int] = []
          while ContinuousClock.now < end {
            do { try await limiter.acquire(until: end) } catch is FleetLimitError { break }
            times.append(monotonicTime())
          }
          return times
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    await limiter.shutdown()
    for time in times { print(time) }
  }

  private static func measureCost(of store: any FleetLimitStore, rate: Double, seconds: Int) async throws {
    let limiter = FleetLimiter(try FleetLimit("cost", rate: 2 * rate), store: store)
    // Alternating, and the least of each, because other work on the machine only adds.
    let part = max(1, seconds / 5)
    var (without, with, worst) = (Double.infinity, Double.infinity, 0.0)
    for _ in 0..<5 {
      without = min(without, try await pace(rate: rate, seconds: part) {}.0)
      let (time, longest) = try await pace(rate: rate, seconds: part) { try await limiter.acquire() }
      (with, worst) = (min(with, time), max(worst, longest))
    }
    await limiter.shutdown()
    print("{\"cpu_us\": \((with - without) / (rate * Double(part))), \"worst_us\": \(worst)}")
  }

  /// The CPU time of calls in bundles, one each millisecond, and the longest time of a bundle; both in µs.
  private static func pace(
    rate: Double, seconds: Int, _ call: () async throws -> Void
  ) async throws -> (Double, Double) {
    let (start, began) = (ContinuousClock.now, processorTime())
    var (calls, worst) = (0, 0)
    for millisecond in 1...(seconds * 1000) {
      let due = Int(rate * Double(millisecond) / 1000)
      let first = monotonicTime()
      while calls < due {
        try await call()
        calls += 1
      }
      worst = max(worst, monotonicTime() - first)
      try await Task.sleep(until: start.advanced(by: .milliseconds(millisecond)))
    }
    return (Double(processorTime() - began) / 1000, Double(worst) / 1000)
  }
}

public import NovaRedis

/// Limits in Redis or Valkey: the generic cell rate algorithm (GCRA) in one script, with the server's clock.
public struct RedisLimitStore: FleetLimitStore {
  private let redis: any RedisClient
  private let prefix: String

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - redis: the client.
  ///   - prefix: the beginning of all keys. Default `nova:`.
  public init(_ redis: any RedisClient, prefix: String = "nova:") { (self.redis, self.prefix) = (redis, prefix) }

  public func take(_ count: Int, of limit: FleetLimit, priority: FleetPriority) async throws -> FleetGrant {
    let reply = try await run("take", count, of: limit, priority: priority)
    guard case .array(let fields) = reply, fields.count == 2, case .integer(let tokens) = fields[0],
      case .integer(let wait) = fields[1]
    else { throw FleetLimitError(.store, "Redis sent an unexpected reply") }
    return FleetGrant(tokens: Int(tokens), wait: .microseconds(wait))
  }

  public func giveBack(_ count: Int, of limit: FleetLimit) async throws { _ = try await run("give", count, of: limit) }

  public func pause(_ limit: FleetLimit, for time: Duration) async throws {
    _ = try await run("pause", Int(time / .microseconds(1)), of: limit)
  }

  private func run(
    _ action: RedisArgument, _ count: Int, of limit: FleetLimit, priority: FleetPriority = .normal
  ) async throws -> RedisReply {
    let burst = limit.storeBurst
    return try await Self.script.run(
      on: redis, keys: [RedisArgument("\(prefix)limit:{\(limit.name)}")],
      arguments: [
        action, RedisArgument(count), RedisArgument("\(1_000_000 / limit.rate)"), RedisArgument("\(burst)"),
        RedisArgument("\(priority == .high ? 0 : burst * limit.reserve)"),
      ])
  }

  /// `tat` is the theoretical arrival time, in µs: until then, the calls so far use up the rate. After a failover to a
  /// server whose clock is late, it is at most one burst ahead. A pause is at most an hour, and one that has ended does
  /// not begin again then.
  private static let script = RedisScript(
    """
    local t = redis.call('TIME')
    local now = t[1] * 1000000 + t[2]
    local count, interval, burst, reserve = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
    local saved = redis.call('HMGET', KEYS[1], 'tat', 'pause')
    local tat = math.max(now, math.min(tonumber(saved[1]) or now, now + burst * interval))
    local stored = tonumber(saved[2]) or 0
    local pause = math.min(stored, now + 3600000000)
    if pause <= now then pause = 0 end
    local result = {0, 0}
    if ARGV[1] == 'pause' then
      pause = math.max(pause, now + count)
    elseif ARGV[1] == 'give' then
      tat = math.max(now, tat - count * interval)
    elseif pause > now then
      if pause < stored then redis.call('HSET', KEYS[1], 'pause', string.format('%.0f', pause)) end
      return {0, pause - now}
    else
      local usable = math.max(1, burst - reserve) * interval
      local free = math.floor((now + usable - tat) / interval + 0.000001)
      local granted = math.max(0, math.min(count, free))
      if granted == 0 then return {0, math.ceil(tat + interval - now - usable)} end
      tat = tat + granted * interval
      result = {granted, 0}
    end
    redis.call('HSET', KEYS[1], 'tat', string.format('%.3f', tat), 'pause', string.format('%.0f', pause))
    redis.call('PEXPIRE', KEYS[1], math.ceil((math.max(tat, pause) - now) / 1000) + 1000)
    return result
    """)
}

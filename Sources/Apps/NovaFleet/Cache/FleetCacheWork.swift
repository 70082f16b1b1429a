internal import NovaLibc
internal import NovaRedis

/// What to do for an absent value.
struct FleetCacheWork: Sendable {
  let name: String
  let seals: Bool
  let lifetime: Duration
  let load: @Sendable () async throws -> [UInt8]

  /// A value with the rest of its time, both by the server's clock.
  static let read = RedisScript("return {redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])}")

  /// Removes the lock of its owner.
  static let release = RedisScript(
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0")

  /// Stores a value and removes the lock, unless the lock was lost: the value may be older than a removal.
  static let publish = RedisScript(
    """
    if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
    redis.call('DEL', KEYS[1])
    return 1
    """)
}

extension FleetCacheEntry {
  /// Whether to refresh it now (XFetch): the more likely, the longer loading takes and the less time remains.
  ///
  /// - Parameter random: in 0..<1.
  func isDue(eagerness: Double, random: Double) -> Bool {
    Double(cost) * eagerness * -log(max(random, .leastNonzeroMagnitude)) >= Double(remaining)
  }
}

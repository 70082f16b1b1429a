internal import NovaRedis
internal import NovaSupport

/// A random text for each identity in Redis, which is part of the keys of its stored reads. Replacing it makes all of
/// them unreachable, on all machines.
final class CallEpochs: Sendable {
  private let redis: any RedisClient
  private let prefix: String
  private let steps: StoreSteps
  private let lifetime: RedisArgument
  /// Identities whose epoch could not be replaced. Nothing stored is used for them.
  private let owed = Locked<Set<String>>([])

  /// - Parameter lifetime: at least as long as any value is stored.
  init(_ redis: any RedisClient, prefix: String, steps: StoreSteps, lifetime: Duration) {
    (self.redis, self.prefix, self.steps) = (redis, prefix, steps)
    self.lifetime = RedisArgument(max(1, Int64(lifetime / .milliseconds(1))))
  }

  /// The current epoch, or a new one if it is absent, as after `FLUSHALL`.
  private static let current = RedisScript(
    """
    local epoch = redis.call('GET', KEYS[1])
    if not epoch then epoch = ARGV[1]; redis.call('SET', KEYS[1], epoch) end
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    return epoch
    """)

  /// The current epoch of an identity.
  ///
  /// - Parameter owner: the identity's name in the store.
  /// - Throws: `FleetStoreFailure`, `CancellationError`.
  func current(_ owner: String) async throws -> String {
    if owed.withLock({ $0.contains(owner) }) { guard await replace(owner) else { throw FleetStoreFailure() } }
    let key = key(owner)
    let reply = try await steps.run { [redis, lifetime] in
      try await Self.current.run(on: redis, keys: [key], arguments: [RedisArgument(RandomName.make()), lifetime])
    }
    guard let epoch = reply.text else { throw FleetStoreFailure() }
    return epoch
  }

  /// Replaces the epoch, even if the task is cancelled.
  ///
  /// - Returns: whether it was replaced. If not, this process tries again before it next uses what is stored.
  @discardableResult
  func replace(_ owner: String) async -> Bool {
    owed.withLock { _ = $0.insert(owner) }
    let key = key(owner)
    let work = Task { [steps, redis, lifetime] in
      try await steps.run { try await redis.send(["SET", key, RedisArgument(RandomName.make()), "PX", lifetime]) }
    }
    guard let reply = try? await work.value, reply == "OK" else { return false }
    owed.withLock { _ = $0.remove(owner) }
    return true
  }

  private func key(_ owner: String) -> RedisArgument { RedisArgument("\(prefix){\(owner)}:epoch") }
}

internal import NovaRedis
internal import NovaSupport

/// A random text for each identity in Redis, which is part of the keys of its stored reads. Replacing it makes all of
/// them unreachable, on all machines.
final class CallEpochs: Sendable {
  private let redis: any RedisClient
  private let prefix: String
  private let steps: StoreSteps
  private let lifetime: RedisArgument
  /// Replaces the epochs of identities. Until it has, nothing stored is used for them.
  private let replacements: OwedSteps<String, Void>

  /// - Parameters:
  ///   - lifetime: at least as long as any value is stored.
  ///   - pause: how long to wait before a replacement that failed is repeated.
  init(
    _ redis: any RedisClient, prefix: String, steps: StoreSteps, lifetime: Duration, pause: Duration,
    clock: any CallClock
  ) {
    (self.redis, self.prefix, self.steps) = (redis, prefix, steps)
    let lifetime = RedisArgument(max(1, Int64(lifetime / .milliseconds(1))))
    self.lifetime = lifetime
    replacements = OwedSteps(pause: pause, clock: clock) { owner, _, mustBeTried in
      let work = Task {
        try await steps.run(mustBeTried: mustBeTried) {
          try await redis.send(
            ["SET", Self.key(owner, prefix), RedisArgument(RandomName.make()), "PX", lifetime])
        }
      }
      return (try? await work.value) == "OK"
    }
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
    guard await replacements.settle(owner) else { throw FleetStoreFailure() }
    let key = Self.key(owner, prefix)
    let reply = try await steps.run { [redis, lifetime] in
      try await Self.current.run(on: redis, keys: [key], arguments: [RedisArgument(RandomName.make()), lifetime])
    }
    guard let epoch = reply.text else { throw FleetStoreFailure() }
    return epoch
  }

  /// Replaces the epoch, even if the task is cancelled. If that fails, it is repeated in the background.
  func replace(_ owner: String) async { _ = await replacements.run(owner, ()) }

  private static func key(_ owner: String, _ prefix: String) -> RedisArgument {
    RedisArgument("\(prefix){\(owner)}:epoch")
  }
}

public import NovaCache
internal import NovaCrypto
internal import NovaRedis
internal import NovaSupport

extension FleetResponses {
  /// How long others see that a response was stored: longer than they wait until they ask again. In milliseconds.
  private static let storedTime: RedisArgument = "300"
  /// For how long each machine loads for itself after a response could not be shared. In milliseconds.
  private static let aloneTime: RedisArgument = "60000"
  /// The same after the server failed. In milliseconds.
  private static let failedTime: RedisArgument = "1000"

  /// How early fresh responses are refreshed.
  public var eagerness: Double { options.eagerness }

  /// How long a machine may load.
  public var loadTime: Duration { options.loadTime }

  /// Takes the lock of a place, or reports what another machine does. Called by the cache.
  public func beginLoad(at place: SharedPlace, since epoch: String) async -> SharedLoad {
    guard let names = try? names(place) else { return .alone }
    let (token, time) = (Self.random, RedisArgument(max(1, Int64(options.loadTime / .milliseconds(1)))))
    let reply = try? await steps.run { [self] in
      try await FleetResponseScripts.beginLoad.run(
        on: redis, keys: [everything, self.epoch(names.url), lock(names)],
        arguments: [RedisArgument(epoch), token, time])
    }
    switch reply?.text {
    case "begun": return .begun(token: String(decoding: token.bytes, as: UTF8.self))
    case "running": return .running
    case "stored": return .stored
    default: return .alone
    }
  }

  /// Releases the lock, and records for the others how the load ended. Called by the cache.
  public func endLoad(_ token: String, at place: SharedPlace, since epoch: String, _ result: SharedLoadResult) async {
    guard let names = try? names(place) else { return }
    _ = try? await steps.run { [self] in
      try await FleetResponseScripts.endLoad.run(
        on: redis, keys: [lock(names), hash(names), hash(names.shared)],
        arguments: [
          RedisArgument(epoch), RedisArgument(token), RedisArgument(result.rawValue), Self.storedTime, Self.aloneTime,
          Self.failedTime,
        ])
    }
  }
}

import NovaCrypto
import NovaRedis
import NovaSupport
import NovaTestSupport
import Testing

@testable import NovaFleet

@Suite(.hangLimit) struct FleetCacheTests {
  private struct Key: FleetCacheSealing {
    let key = [UInt8](repeating: 5, count: 32)

    func seal(_ bytes: [UInt8], place: [UInt8]) throws -> [UInt8] {
      let nonce = [UInt8].random(count: 12)
      return nonce + (try AESGCM.seal(bytes, key: key, nonce: nonce, authenticated: place))
    }

    func open(_ bytes: [UInt8], place: [UInt8]) throws -> [UInt8]? {
      try AESGCM.open(Array(bytes.dropFirst(12)), key: key, nonce: Array(bytes.prefix(12)), authenticated: place)
    }
  }

  private static let key = FleetCacheKey("GetProfile", identity: "user-secret", schema: 1)

  private func cache(
    _ redis: RedisPool, near: Bool = false, _ change: (inout FleetCache.Options) -> Void = { _ in }
  ) -> FleetCache {
    var options = FleetCache.Options()
    options.maximumDelay = .seconds(20)
    change(&options)
    return FleetCache(redis, messages: near ? redis : nil, sealing: Key(), options: options)
  }

  @Test func loadsOnceForManyMachines() async throws {
    let server = try RedisServer()
    defer { server.stop() }
    let loads = Locked(0)
    let machines = try (0..<20).map { _ in cache(try RedisPool.patient(server.url)) }
    let values = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for machine in machines {
        for _ in 0..<5 {
          group.addTask {
            try await machine.value(for: Self.key, for: .seconds(60)) {
              loads.withLock { $0 += 1 }
              try await Task.sleep(for: .milliseconds(50))
              return Array("profile-secret".utf8)
            }
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(values.count == 100 && Set(values).count == 1)
    #expect(loads.withLock { $0 } == 1)
    let redis = try RedisPool.patient(server.url)
    for name in try await redis.send(["KEYS", "*"]).array ?? [] {
      let text = name.text ?? ""
      #expect(!text.contains("secret"))
      #expect(try await redis.send(["GET", RedisArgument(text)]).text?.contains("secret") == false)
      #expect(try await redis.send(["PTTL", RedisArgument(text)]).integer ?? 0 > 0)
    }
  }

  @Test func continuesWithoutTheStore() async throws {
    let server = try RedisServer()
    defer { server.stop() }
    let cache = cache(try RedisPool.patient(server.url)) { $0.maximumDelay = .milliseconds(200) }
    server.freeze()
    #expect(try await cache.value(for: Self.key, for: .seconds(60)) { [1] } == [1])
    server.thaw()
    server.stop()
    #expect(try await cache.value(for: Self.key, for: .seconds(60)) { [2] } == [2])
  }

  @Test func loadsItselfIfTheLoaderDies() async throws {
    let server = try RedisServer()
    defer { server.stop() }
    let redis = try RedisPool.patient(server.url)
    let name = try Self.key.digest(secret: [])
    _ = try await redis.send(["SET", RedisArgument("nova:cache:{\(name)}:lock"), "dead", "PX", "300"])
    #expect(try await cache(redis).value(for: Self.key, for: .seconds(60)) { [3] } == [3])
    #expect(try await cache(redis).value(for: Self.key, for: .seconds(60)) { [4] } == [3])
  }

  @Test func removesValuesInOtherProcesses() async throws {
    let server = try RedisServer()
    defer { server.stop() }
    let (first, second) = (
      cache(try RedisPool.patient(server.url), near: true), cache(try RedisPool.patient(server.url), near: true)
    )
    try await waitUntil { first.keepsNearValues && second.keepsNearValues }
    for cache in [first, second] {
      #expect(try await cache.value(for: Self.key, for: .seconds(60)) { [1] } == [1])
    }
    try await first.remove(Self.key)
    try await waitUntil { try await second.value(for: Self.key, for: .seconds(60)) { [2] } == [2] }
  }

  /// Callers after the removal do not get a value whose load began before it.
  @Test func whoComesAfterARemovalLoadsAnew() async throws {
    let server = try RedisServer()
    defer { server.stop() }
    let cache = cache(try RedisPool.patient(server.url))
    let (begun, go) = (WakeSignal(), WakeSignal())
    let before = Task {
      try await cache.value(for: Self.key, for: .seconds(60)) {
        begun.wake()
        await go.wait()
        return [1]
      }
    }
    await begun.wait()
    try await cache.remove(Self.key)
    #expect(try await cache.value(for: Self.key, for: .seconds(60)) { [2] } == [2])
    go.wake()
    #expect(try await before.value == [1])
    #expect(try await cache.value(for: Self.key, for: .seconds(60)) { [3] } == [2])
  }

  @Test func doesNotStoreWhatWasRemovedMeanwhile() async throws {
    let server = try RedisServer()
    defer { server.stop() }
    let redis = try RedisPool.patient(server.url)
    let (cache, other) = (cache(redis), cache(redis))
    let old = try await cache.value(for: Self.key, for: .seconds(60)) {
      try await other.remove(Self.key)
      return [1]
    }
    #expect(old == [1])
    #expect(try await other.value(for: Self.key, for: .seconds(60)) { [2] } == [2])
  }

  @Test func refreshesEarlyInTheBackground() async throws {
    let server = try RedisServer()
    defer { server.stop() }
    // Each read is due, however much time remains.
    let cache = cache(try RedisPool.patient(server.url)) { $0.eagerness = 1e12 }
    let loads = Locked(0)
    @Sendable func load() async throws -> [UInt8] {
      try await Task.sleep(for: .milliseconds(20))
      return loads.withLock { loads in
        loads += 1
        return [UInt8(loads)]
      }
    }
    #expect(try await cache.value(for: Self.key, for: .seconds(60), load: load) == [1])
    #expect(try await cache.value(for: Self.key, for: .seconds(60), load: load) == [1])
    await cache.waitUntilIdle()
    #expect(loads.withLock { $0 } == 2)
    #expect(try await cache.value(for: Self.key, for: .seconds(60), load: load) == [2])
    await cache.cancelRefreshes()
  }

  @Test func loadsAgainAfterEverythingWasLost() async throws {
    let server = try RedisServer()
    defer { server.stop() }
    let redis = try RedisPool.patient(server.url)
    let cache = cache(redis)
    #expect(try await cache.value(for: Self.key, for: .seconds(60)) { [1] } == [1])
    _ = try await redis.send(["FLUSHALL"])
    #expect(try await cache.value(for: Self.key, for: .seconds(60)) { [2] } == [2])
    #expect(try await cache.value(for: Self.key, for: .seconds(60)) { [3] } == [2])
  }

  /// Answers as a server does that reads its data from the disk.
  private struct LoadingServer: RedisClient {
    let redis: RedisPool
    let isLoading = Locked(true)

    func send(_ command: [RedisArgument]) async throws -> RedisReply {
      if isLoading.withLock({ $0 }) {
        return try await redis.send(["EVAL", "return redis.error_reply('LOADING the dataset')", "0"])
      }
      return try await redis.send(command)
    }
  }

  @Test func continuesWhileTheServerIsLoading() async throws {
    let server = try RedisServer()
    defer { server.stop() }
    let loading = LoadingServer(redis: try RedisPool.patient(server.url))
    var options = FleetCache.Options()
    (options.maximumDelay, options.pause) = (.seconds(20), .zero)
    let cache = FleetCache(loading, messages: nil, sealing: Key(), options: options)
    #expect(try await cache.value(for: Self.key, for: .seconds(60)) { [1] } == [1])
    #expect(try await cache.value(for: Self.key, for: .seconds(60)) { [2] } == [2])
    loading.isLoading.withLock { $0 = false }
    #expect(try await cache.value(for: Self.key, for: .seconds(60)) { [3] } == [3])
    #expect(try await cache.value(for: Self.key, for: .seconds(60)) { [4] } == [3])
  }

  @Test func ignoresALoaderThatWasStoppedPastItsLease() async throws {
    let server = try RedisServer()
    defer { server.stop() }
    let redis = try RedisPool.patient(server.url)
    let (stopped, other) = (cache(redis) { $0.loadTime = .milliseconds(100) }, cache(redis))
    let gate = WakeUp()
    async let late = stopped.value(for: Self.key, for: .seconds(60)) {
      await gate.wait()
      return [1]
    }
    let name = try Self.key.digest(secret: [])
    let lock = RedisArgument("nova:cache:{\(name)}:lock")
    try await waitUntil { gate.isAwaited }
    try await waitUntil { try await redis.send(["EXISTS", lock]).integer == 0 }
    #expect(try await other.value(for: Self.key, for: .seconds(60)) { [2] } == [2])
    gate.open()
    #expect(try await late == [1])
    #expect(try await other.value(for: Self.key, for: .seconds(60)) { [3] } == [2])
  }

  /// What a loader waits for.
  private final class WakeUp: Sendable {
    private let state = Locked((isAwaited: false, isOpen: false))

    var isAwaited: Bool { state.withLock { $0.isAwaited } }
    func open() { state.withLock { $0.isOpen = true } }

    func wait() async {
      state.withLock { $0.isAwaited = true }
      while !state.withLock({ $0.isOpen }) { try? await Task.sleep(for: .milliseconds(5)) }
    }
  }

  @Test func keepsIdentitiesAndSchemasApart() throws {
    let keys = [
      Self.key, FleetCacheKey("GetProfile", identity: "other", schema: 1),
      FleetCacheKey("GetProfile", identity: nil, schema: 1), FleetCacheKey("GetProfile", identity: "", schema: 1),
      FleetCacheKey("GetProfile", identity: "user-secret", schema: 2),
    ]
    #expect(Set(try keys.map { try $0.digest(secret: []) }).count == keys.count)
    #expect(try Self.key.digest(secret: [1]) != Self.key.digest(secret: []))
  }

  @Test func refreshesEarlierIfLoadingTakesLonger() {
    var entry = FleetCacheEntry([], cost: .milliseconds(100))
    entry.remaining = 1000
    #expect(!entry.isDue(eagerness: 1, random: 0.5))
    #expect(entry.isDue(eagerness: 1, random: 0.000_01))
    entry.remaining = 50
    #expect(entry.isDue(eagerness: 1, random: 0.5))
  }
}

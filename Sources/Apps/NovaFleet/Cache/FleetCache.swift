public import NovaRedis
public import NovaSupport

/// Values that many machines share in Redis: each is loaded by one of them, and refreshed before it expires.
///
/// ```swift
/// let cache = FleetCache(redis, messages: redis, sealing: keys)
/// let key = FleetCacheKey("GetProfile u1", identity: user, schema: 1)
/// let bytes = try await cache.value(for: key, for: .seconds(60)) {
///   try await loadProfile()
/// }
/// ```
///
/// When the value is absent, one process loads it while the others wait; if that process dies, another one loads it.
/// When the store is down or slow, each call loads for itself, after at most ``Options/maximumDelay``; the store is
/// then left alone for ``Options/pause``. A user's values are sealed, and names are digests.
public final class FleetCache: Sendable {
  /// Limits.
  public struct Options: Sendable {
    /// How names in the store begin. Default `nova:cache:`.
    public var prefix = "nova:cache:"
    /// What others must know to find out an identity from a name in the store. Default: empty.
    public var nameSecret: [UInt8] = []
    /// The maximum size of a value in the store in bytes. Default 1 MiB.
    public var maximumEntryBytes = 1 << 20
    /// The longest time that the store keeps a value. Default 1 day.
    public var maximumTimeToLive = Duration.seconds(86_400)
    /// How long a value may stay in the process. Default 5 s.
    public var nearTimeToLive = Duration.seconds(5)
    /// The maximum size of all values in the process in bytes; 0 for none. Default 16 MiB.
    public var maximumNearBytes = 16 << 20
    /// How long a step of the store may delay a call. Default 100 ms.
    public var maximumDelay = Duration.milliseconds(100)
    /// How long a failing store is left alone. Default 1 s.
    public var pause = Duration.seconds(1)
    /// How long a process may load until another one may, too. Default 5 s.
    public var loadTime = Duration.seconds(5)
    /// How early values are refreshed: 1 is the optimum of XFetch, more is earlier. Default 1.
    public var eagerness = 1.0

    /// Creates options with the defaults.
    public init() {}
  }

  /// A search for a value. Callers after a removal do not join a search from before it.
  private struct Flight: Hashable {
    let name: String
    let epoch: Int
  }

  private let redis: any RedisClient
  private let options: Options
  private let sealing: any FleetCacheSealing
  private let clock: any CallClock
  private let random: @Sendable () -> Double
  private let near: NearCache
  private let flights = SingleFlight<Flight, [UInt8]>()
  private let steps: StoreSteps
  private let refreshes = Locked<[UInt64: Task<Void, Never>]>([:])
  private let listener = Locked<Task<Void, Never>?>(nil)

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - redis: the store.
  ///   - messages: where invalidations arrive; nil to keep no values in the process.
  ///   - sealing: encrypts the values of users.
  ///   - random: a number in 0..<1.
  public init(
    _ redis: any RedisClient, messages: (any RedisSubscriber)?, sealing: any FleetCacheSealing,
    options: Options = Options(), clock: any CallClock = ContinuousClock(),
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    (self.redis, self.sealing, self.options, self.clock, self.random) = (redis, sealing, options, clock, random)
    near = NearCache(limit: options.maximumNearBytes)
    steps = StoreSteps(maximumDelay: options.maximumDelay, pause: options.pause, clock: clock)
    guard let messages, options.maximumNearBytes > 0 else { return }
    let (near, channel) = (near, "\(options.prefix)invalidated")
    let task = Task { await Self.listen(to: messages, on: channel, near, clock) }
    listener.withLock { $0 = task }
  }

  deinit { listener.withLock { $0?.cancel() } }

  /// Whether values are kept in the process, because invalidations arrive.
  public var keepsNearValues: Bool { near.isActive }

  /// A value: from the process, from the store, or loaded.
  ///
  /// - Parameters:
  ///   - lifetime: how long the value may be used after it was loaded; without it, or with zero, it is not stored.
  /// - Throws: what `load` throws, and `CancellationError`.
  public func value(
    for key: FleetCacheKey, for lifetime: Duration, load: @escaping @Sendable () async throws -> [UInt8]
  ) async throws -> [UInt8] {
    guard lifetime > .zero, let name = try? key.digest(secret: options.nameSecret) else { return try await load() }
    if let value = near.value(name, at: clock.now) { return value }
    let work = FleetCacheWork(
      name: name, seals: key.identity != nil, lifetime: min(lifetime, options.maximumTimeToLive), load: load)
    return try await flights.join(Flight(name: name, epoch: near.epoch)) { [self] in try await find(work) }
  }

  /// Removes a value everywhere. One that is being loaded is not stored.
  ///
  /// - Throws: ``RedisError`` if the store cannot be reached; the value then stays until it expires.
  public func remove(_ key: FleetCacheKey) async throws {
    let name = try key.digest(secret: options.nameSecret)
    near.remove(name)
    _ = try await redis.send(["DEL", place(name), lock(name)])
    _ = try await redis.send(["PUBLISH", RedisArgument("\(options.prefix)invalidated"), RedisArgument(name)])
    near.remove(name)
  }

  /// Waits for the refreshes in the background.
  package func waitUntilIdle() async { for task in refreshes.withLock({ Array($0.values) }) { await task.value } }

  /// Cancels the refreshes in the background, and waits for them to end. The cache can still be used.
  public func cancelRefreshes() async {
    let tasks = refreshes.withLock { Array($0.values) }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  // MARK: Steps

  private func place(_ name: String) -> RedisArgument { RedisArgument("\(options.prefix){\(name)}") }
  private func lock(_ name: String) -> RedisArgument { RedisArgument("\(options.prefix){\(name)}:lock") }

  private func find(_ work: FleetCacheWork) async throws -> [UInt8] {
    let epoch = near.epoch
    do {
      if let entry = try await read(work) {
        if entry.isDue(eagerness: options.eagerness, random: random()) { refresh(work) }
        keep(entry.value, work, for: .milliseconds(entry.remaining), since: epoch)
        return entry.value
      }
      return try await fill(work, since: epoch)
    } catch is FleetStoreFailure {
      return try await work.load()
    }
  }

  /// Loads an absent value, or waits for the process that does.
  private func fill(_ work: FleetCacheWork, since epoch: Int) async throws -> [UInt8] {
    let owner = RedisArgument(String(UInt64.random(in: .min ... .max), radix: 36))
    let end = clock.now.advanced(by: options.loadTime)
    var wait = Duration.milliseconds(10)
    while clock.now < end {
      if try await acquire(work, owner) {
        // Another process may have stored it after the value was looked up, and before the lock was acquired.
        guard let entry = try await read(work) else { return try await loadAndStore(work, owner, since: epoch) }
        await release(work, owner)
        return entry.value
      }
      try await clock.sleep(until: clock.now.advanced(by: wait * (0.5 + random())), tolerance: nil)
      wait = min(wait * 2, .milliseconds(100))
      if let entry = try await read(work) { return entry.value }
    }
    return try await work.load()
  }

  /// Loads a value in the background, unless another process does, or too many loads run.
  private func refresh(_ work: FleetCacheWork) {
    let id = UInt64.random(in: .min ... .max)
    refreshes.withLock { running in
      guard running.count < Self.maximumRefreshes else { return }
      running[id] = Task { [self] in
        try? await reload(work)
        refreshes.withLock { $0[id] = nil }
      }
    }
  }

  private static let maximumRefreshes = 32

  private func reload(_ work: FleetCacheWork) async throws {
    let owner = RedisArgument(String(UInt64.random(in: .min ... .max), radix: 36))
    let epoch = near.epoch
    guard try await acquire(work, owner) else { return }
    _ = try await loadAndStore(work, owner, since: epoch)
  }

  private func loadAndStore(_ work: FleetCacheWork, _ owner: RedisArgument, since epoch: Int) async throws -> [UInt8] {
    let (result, cost) = await clock.timed(work.load)
    guard case .success(let value) = result else {
      await release(work, owner)
      return try result.get()
    }
    let entry = FleetCacheEntry(value, cost: cost)
    guard let bytes = try? entry.encoded(place: Array(work.name.utf8), sealing: work.seals ? sealing : nil),
      bytes.count <= options.maximumEntryBytes
    else {
      await release(work, owner)
      return value
    }
    let lifetime = max(1, Int64(work.lifetime / .milliseconds(1)))
    let reply = try? await store { [self] in
      try await FleetCacheWork.publish.run(
        on: redis, keys: [lock(work.name), place(work.name)],
        arguments: [owner, RedisArgument(bytes), RedisArgument(lifetime)])
    }
    if reply?.integer == 1 { keep(value, work, for: work.lifetime, since: epoch) }
    return value
  }

  private func release(_ work: FleetCacheWork, _ owner: RedisArgument) async {
    _ = try? await store { [self] in
      try await FleetCacheWork.release.run(on: redis, keys: [lock(work.name)], arguments: [owner])
    }
  }

  private func keep(_ value: [UInt8], _ work: FleetCacheWork, for lifetime: Duration, since epoch: Int) {
    near.insert(
      work.name, value, until: clock.now.advanced(by: min(lifetime, options.nearTimeToLive)), since: epoch)
  }

  private func read(_ work: FleetCacheWork) async throws -> FleetCacheEntry? {
    let reply = try await store { [self] in try await FleetCacheWork.read.run(on: redis, keys: [place(work.name)]) }
    guard let parts = reply.array, parts.count == 2, let bytes = parts[0].bytes, let remaining = parts[1].integer,
      remaining > 0
    else { return nil }
    return FleetCacheEntry(
      bytes, remaining: remaining, place: Array(work.name.utf8), sealing: work.seals ? sealing : nil)
  }

  private func acquire(_ work: FleetCacheWork, _ owner: RedisArgument) async throws -> Bool {
    let time = RedisArgument(max(1, Int64(options.loadTime / .milliseconds(1))))
    return try await store { [self] in try await redis.send(["SET", lock(work.name), owner, "NX", "PX", time]) } == "OK"
  }

  private func store(_ step: @escaping @Sendable () async throws -> RedisReply) async throws -> RedisReply {
    try await steps.run(step)
  }

  // MARK: Invalidation

  private static func listen(
    to messages: any RedisSubscriber, on channel: String, _ near: NearCache, _ clock: any CallClock
  ) async {
    await FleetMessages.receive(from: messages, on: channel, clock) { event in
      switch event {
      case .begun: near.reset(isActive: true)
      case .message(let name): near.remove(String(decoding: name, as: UTF8.self))
      case .lost: near.reset(isActive: false)
      }
    }
  }
}

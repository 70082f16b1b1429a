public import NovaCache
public import NovaRedis
public import NovaSupport

/// HTTP responses and media that many machines share in Redis, used by an `HTTPCache` when its memory has no response.
///
/// ```swift
/// let cache = HTTPCache(shared: FleetResponses(redis, messages: redis, keys: keys))
/// let images = MediaCache(client: nova.client, cache: cache)
/// ```
///
/// When many machines need a response that is absent or stale, one of them asks the server, and the others wait for
/// what it stores. Before a response expires, one machine refreshes it. With messages, the memory of each process
/// follows what others remove.
///
/// All responses are encrypted, because their URLs alone may grant access, and bound to their places. Names in Redis
/// reveal neither URLs nor users.
public final class FleetResponses: SharedResponses {
  /// Limits.
  public struct Options: Sendable {
    /// How names in the store begin. Default `nova:responses:`.
    public var prefix = "nova:responses:"
    /// The maximum size of a response in the store in bytes. Default 1 MiB.
    public var maximumEntryBytes = 1 << 20
    /// The maximum number of variants (`Vary`) of a response for a caller; another one replaces all. Default 8.
    public var maximumVariants = 8
    /// The longest time that the store keeps a response. Default 1 day.
    public var maximumTimeToLive = Duration.seconds(86_400)
    /// How long a step of the store may delay a call. Default 100 ms.
    public var maximumDelay = Duration.milliseconds(100)
    /// How long a failing store is left alone. Default 1 s.
    public var pause = Duration.seconds(1)
    /// How long a machine may load a response until another one may, too, and how long the others wait for it. Default
    /// 5 s.
    public var loadTime = Duration.seconds(5)
    /// How early fresh responses are refreshed: 1 is the optimum of XFetch, more is earlier, 0 never. Default 1.
    public var eagerness = 1.0

    /// Creates options with the defaults.
    public init() {}
  }

  let redis: any RedisClient
  let keys: FleetKeys
  let options: Options
  let steps: StoreSteps
  private let removals: FleetRemovals

  /// Creates a shared store.
  ///
  /// - Parameters:
  ///   - redis: where responses are stored.
  ///   - messages: where removals arrive. While they don't, the cache keeps nothing in memory. Default: nil; processes
  ///     use what is in their memory for as long as it is fresh, whatever others remove.
  ///   - keys: encrypt the responses, and name their URLs and owners.
  public init(
    _ redis: any RedisClient, messages: (any RedisSubscriber)? = nil, keys: FleetKeys, options: Options = Options(),
    clock: any CallClock = ContinuousClock()
  ) {
    (self.redis, self.keys, self.options) = (redis, keys, options)
    steps = StoreSteps(maximumDelay: options.maximumDelay, pause: options.pause, clock: clock)
    removals = FleetRemovals(
      redis, messages: messages, keys: keys, everything: RedisArgument("\(options.prefix)everything"),
      channel: "\(options.prefix)removed", steps: steps, pause: options.pause, clock: clock)
  }

  // MARK: SharedResponses

  /// The stored variants of a place. Called by the cache.
  public func find(_ place: SharedPlace) async -> SharedVariants? {
    guard let names = try? names(place), await removals.settle(epoch(names.url)) else { return nil }
    let (times, random) = (Times(options), Self.random)
    let reply = try? await steps.run { [self] in
      try await FleetResponseScripts.find.run(
        on: redis, keys: [everything, epoch(names.url), hash(names)],
        arguments: [random, times.everything, times.epoch])
    }
    guard let parts = reply?.array, let epoch = parts.first?.text else { return nil }
    var variants: [[UInt8]] = []
    for index in stride(from: 1, to: parts.count - 1, by: 2) {
      guard let variant = parts[index].text, let sealed = parts[index + 1].bytes,
        let bytes = try? keys.open(sealed, place: names.place(of: variant))
      else { continue }
      variants.append(bytes)
    }
    return SharedVariants(variants, epoch: epoch)
  }

  /// Stores a variant. Called by the cache.
  public func publish(
    _ bytes: [UInt8], variant: String, at place: SharedPlace, since epoch: String, for lifetime: Duration
  ) async {
    let milliseconds = Int64(min(lifetime, options.maximumTimeToLive) / .milliseconds(1))
    guard bytes.count <= options.maximumEntryBytes, milliseconds > 0, let names = try? names(place),
      let sealed = try? keys.seal(bytes, place: names.place(of: variant))
    else { return }
    _ = try? await steps.run { [self] in
      try await FleetResponseScripts.publish.run(
        on: redis, keys: [everything, self.epoch(names.url), hash(names)],
        arguments: [
          RedisArgument(epoch), RedisArgument(variant), RedisArgument(sealed), RedisArgument(milliseconds),
          RedisArgument(Int64(options.maximumVariants)), Times(options).everything,
        ])
    }
  }

  /// Removes a URL for all callers. Called by the cache. If it fails, this process tries again until it succeeds, and
  /// uses nothing that the store has for the URL; other machines may use it until then.
  public func remove(url: String) async {
    guard let name = try? keys.name(of: url, for: "response") else { return }
    await removals.remove(epoch(name), url: url)
  }

  /// Removes all responses. Called by the cache. They are out of reach at once; freeing their memory takes time in
  /// proportion to the number of keys in the database.
  public func removeAll() async {
    guard await removals.remove(everything, url: "") else { return }
    let pattern = RedisArgument("\(Self.escaped(options.prefix))*")
    var cursor = "0"
    repeat {
      let from = RedisArgument(cursor)
      let reply = try? await steps.run { [redis] in
        try await redis.send(["SCAN", from, "MATCH", pattern, "COUNT", "1000"])
      }
      guard let parts = reply?.array, parts.count == 2, let next = parts[0].text else { return }
      let names = (parts[1].array ?? []).compactMap(\.bytes).map { RedisArgument($0) }.filter { $0 != everything }
      if !names.isEmpty { _ = try? await steps.run { [redis] in try await redis.send(["UNLINK"] + names) } }
      cursor = next
    } while cursor != "0"
  }

  // MARK: Removals

  /// Whether messages arrive.
  public var reportsRemovals: Bool { removals.messages != nil }

  /// Reports what other processes remove. Called by the cache.
  public func watchRemovals(_ receive: @escaping @Sendable (SharedRemoval) -> Void) async {
    await removals.watch(receive)
  }

  // MARK: Names

  struct Names: Sendable {
    let url: String
    let owner: String

    /// The same URL, for all callers.
    var shared: Names { Names(url: url, owner: "shared") }

    func place(of variant: String) -> [UInt8] { Array("\(url)\n\(owner)\n\(variant)".utf8) }
  }

  /// For how long names are kept that the store creates by itself.
  private struct Times {
    let everything: RedisArgument
    let epoch: RedisArgument

    init(_ options: Options) {
      everything = RedisArgument(Int64(options.maximumTimeToLive / .milliseconds(1)) * 2 + 60_000)
      // A response that takes longer is not stored.
      epoch = RedisArgument(max(60_000, Int64(options.loadTime / .milliseconds(1)) * 2))
    }
  }

  func names(_ place: SharedPlace) throws -> Names {
    Names(
      url: try keys.name(of: place.url, for: "response"),
      owner: try place.owner.map { try keys.name(of: $0, for: "response owner") } ?? "shared")
  }

  static var random: RedisArgument { RedisArgument(RandomName.make()) }

  var everything: RedisArgument { RedisArgument("\(options.prefix)everything") }
  func epoch(_ url: String) -> RedisArgument { RedisArgument("\(options.prefix){\(url)}:epoch") }
  func hash(_ names: Names) -> RedisArgument { RedisArgument("\(options.prefix){\(names.url)}:\(names.owner)") }
  func lock(_ names: Names) -> RedisArgument { RedisArgument("\(options.prefix){\(names.url)}:\(names.owner):load") }

  /// A text without wildcards.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { $0 += "*?[]\\^-".contains($1) ? "\\\($1)" : String($1) }
  }
}

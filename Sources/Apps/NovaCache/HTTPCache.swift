public import NovaCore

/// Keeps HTTP responses in memory and on disk, and answers later requests from them (RFC 9111).
///
/// Responses are stored for the caller of the request, so programs with several users can share one cache and
/// directory. Attach it to a client with ``CacheMiddleware``, or load images through ``MediaCache``.
///
/// ```swift
/// let cache = HTTPCache(.init(directory: HTTPCache.defaultDirectory))
/// let images = MediaCache(client: nova.client, cache: cache)
/// ```
///
/// Its methods never throw. If the directory cannot be read or written, nothing is stored in it.
public final class HTTPCache: Sendable {
  /// The limits of a cache, and the directory of its files.
  public struct Options: Sendable, Hashable {
    /// The maximum size of all responses in memory, in bytes. A response larger than an eighth of it is not stored in
    /// memory; with 0, no response is. Default: 32 MiB.
    public var memoryBytes: Int
    /// The maximum size of all files, in bytes. A response larger than an eighth of it is not stored on disk. Processes
    /// that share a directory enforce the limit approximately. Default: 256 MiB.
    public var diskBytes: Int
    /// The directory of the files, which is created when the first response is stored. Default: nil, memory only.
    public var directory: String?

    /// Creates options. Each has a default.
    public init(memoryBytes: Int = 32 << 20, diskBytes: Int = 256 << 20, directory: String? = nil) {
      self.memoryBytes = memoryBytes
      self.diskBytes = diskBytes
      self.directory = directory
    }
  }

  /// What a cache contains, and how it has been used since it was created.
  public struct Usage: Sendable, Hashable {
    /// The number of responses in memory or on disk.
    public var entries = 0
    /// The size of the responses in memory, in bytes.
    public var memoryBytes = 0
    /// The size of the files, in bytes.
    public var diskBytes = 0
    /// When the least recently used file was last used, in Unix seconds; nil without files. That file is removed first.
    public var oldestUse: Int64?
    /// When the most recently used file was last used, in Unix seconds; nil without files.
    public var newestUse: Int64?
    /// The number of requests that were answered without the network.
    public var hits = 0
    /// The number of requests that were sent because no stored response could answer them.
    public var misses = 0
    /// The number of requests that were answered from the cache after the server confirmed the stored response.
    public var revalidated = 0
    /// The number of damaged files that were found and deleted.
    public var healed = 0

    /// Creates an empty usage.
    public init() {}
  }

  /// The directory that all programs of a user share, including `nova cache`: `nova/media` in `$XDG_CACHE_HOME`, or
  /// else in `~/.cache`. Nil if neither is known.
  public static var defaultDirectory: String? { UserDirectories.cache.map { "\($0)/nova/media" } }

  /// The cache's limits and directory.
  public let options: Options
  let engine: CacheEngine

  /// Creates a cache. Nothing is read or written before the first request.
  ///
  /// - Parameters:
  ///   - options: the limits and the directory.
  ///   - shared: where responses are looked up that are not in this process, and published for other machines: those of
  ///     at most an eighth of ``Options/memoryBytes``. Default: nowhere.
  ///   - clock: decides which responses are fresh, and when calls time out. In tests, use the client's clock. Default:
  ///     the system's.
  ///   - random: a number in 0..<1, for early refreshes of shared responses. Default: the system's.
  public init(
    _ options: Options = Options(), shared: (any SharedResponses)? = nil, clock: any CallClock = ContinuousClock(),
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.options = options
    engine = CacheEngine(options, shared: shared, clock: clock, random: random)
  }

  /// What the cache contains, and how it has been used since it was created. Lists all files of the directory.
  public func usage() async -> Usage {
    var usage = engine.store.usage
    let counts = engine.counts
    usage.hits = counts.hits
    usage.misses = counts.misses
    usage.revalidated = counts.revalidated
    return usage
  }

  /// Removes everything from memory, disk, and the shared store, for all callers and all programs that share them.
  /// Other processes keep their responses in memory, unless the shared store reports removals to them. Responses to
  /// requests that are still running are not stored.
  public func removeAll() async {
    engine.store.removeAll()
    await engine.store.shared?.removeAll()
  }

  /// Removes all responses for a URL, for all callers.
  public func remove(_ url: HTTPURL) async { await engine.store.removeEverywhere(url) }

  /// Waits for the background work.
  package func waitUntilIdle() async {
    await engine.background.finish()
    await engine.store.shared?.finish()
  }

  /// Cancels the background work (`stale-while-revalidate`), waits for it to end, and prevents new background work. The
  /// cache can still be used. If its shared store reports removals, it keeps nothing in memory anymore.
  public func shutdown() async {
    await engine.background.shutdown()
    await engine.store.shared?.stopWatching()
    await engine.store.shared?.finish()
  }
}

public import NovaCore

/// Loads avatars and images through a cache. Create one for a client, and share it.
///
/// ```swift
/// let images = MediaCache(client: nova.client, cache: HTTPCache())
/// if let url = profile.avatarUrl { show(try await images.image(url).bytes) }
/// ```
///
/// Images of the gateway are stored for the caller who loads them, see ``APIClient/identity(for:)``: another user who signs
/// in, or whose token the options have, loads them again. Others get them from the cache only if the gateway allows caches to
/// share them, and so does each redirect. Images of other servers, which get no token, are stored for all.
public final class MediaCache: Sendable {
  /// How urgent a load is.
  public enum Priority: Int, Sendable, Hashable, Comparable {
    /// Soon, if nothing else is to do.
    case low
    /// Soon.
    case medium
    /// Immediately, because it is about to be shown.
    case high

    public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
  }

  private let cache: HTTPCache
  private let loader: MediaLoader
  private let queue: PrefetchQueue<PrefetchedImage>

  /// Creates a loader of images.
  ///
  /// - Parameters:
  ///   - client: sends the requests. Its token goes only to the gateway's own origin.
  ///   - cache: where images are stored.
  ///   - options: the options of all loads; they can have a token. Their headers go to the gateway only. Default: the
  ///     client's caller, and the time limits of transfers.
  ///   - maximumBytes: the maximum size of an image, in bytes. Default: 32 MiB.
  public init(
    client: APIClient, cache: HTTPCache, options: CallOptions = CallOptions(), maximumBytes: Int = 32 << 20
  ) {
    self.cache = cache
    loader = MediaLoader(client: client, cache: cache, options: options, maximumBytes: maximumBytes)
    queue = PrefetchQueue { await $0.load() }
  }

  private init(_ loader: MediaLoader, sharing other: MediaCache) {
    cache = other.cache
    self.loader = loader
    queue = other.queue
  }

  /// The same cache with other options: for another caller, for example. Prefetches keep to their limits together.
  ///
  /// ```swift
  /// let image = try await images.with { $0.token = token }.image(url)
  /// ```
  public func with(_ change: (inout CallOptions) throws -> Void) rethrows -> MediaCache {
    var options = loader.options
    try change(&options)
    return MediaCache(
      MediaLoader(client: loader.client, cache: cache, options: options, maximumBytes: loader.maximumBytes),
      sharing: self)
  }

  /// Returns an image from the cache, or loads it. Concurrent loads of one URL share a request. If the server fails,
  /// sends what cannot be a later version of the stored image, or cannot be reached, a stale image is returned, unless the
  /// server has forbidden that.
  ///
  /// With an ID, an image is found again although its URL was signed again: the URL's query then counts only for loading it.
  /// Such an image is stored for the caller alone, whatever the server allows, because the signature may be what lets the
  /// caller have it.
  ///
  /// ```swift
  /// let avatar = try await images.image(profile.avatarUrl, id: profile.id)
  /// ```
  ///
  /// - Parameters:
  ///   - url: absolute, or a path on the gateway, as the backend returns it.
  ///   - id: what identifies the image besides the URL without its query, such as the ID of its user. Default: nil; the
  ///     whole URL identifies it.
  /// - Throws: `APIError`; `notFound`, for example, `invalidResponse` if the image is larger than the maximum, compressed, or
  ///   not whole, and `cancelled` if the task is cancelled, which does not end the request for others that wait for it.
  public func image(_ url: String, id: String? = nil) async throws -> CachedMedia {
    try await queue.visible(PrefetchedImage(url: url, name: id, loader: loader)) {
      try await loader.load(url, named: id)
    }
  }

  /// Loads images into the cache in the background: at most four at a time, and one at a time while ``image(_:id:)`` loads
  /// another one.
  ///
  /// An image that cannot be loaded is left out without an error, and so is one whose caller has signed out, or is another
  /// one, when its turn comes. ``image(_:id:)`` does not wait for its URL's turn, and
  /// raises the priority of a prefetch of it that runs already.
  ///
  /// - Parameters:
  ///   - urls: absolute, or paths on the gateway. A URL that waits or is being loaded gets the higher priority of both.
  ///   - priority: which URLs come first. Default: `low`.
  /// - Returns: a handle that cancels the loads, for example when a list has scrolled away.
  @discardableResult
  public func prefetch(_ urls: [String], priority: Priority = .low) -> Prefetch {
    prefetch(urls.map { ($0, nil) }, priority)
  }

  /// Loads images into the cache in the background, for ``image(_:id:)`` with the same IDs.
  ///
  /// ```swift
  /// images.prefetch(profiles.map { (url: $0.avatarUrl, id: $0.id) })
  /// ```
  ///
  /// - Parameters:
  ///   - images: their URLs, absolute or paths on the gateway, and what identifies them besides.
  ///   - priority: which images come first. Default: `low`.
  /// - Returns: a handle that cancels the loads.
  @discardableResult
  public func prefetch(_ images: [(url: String, id: String)], priority: Priority = .low) -> Prefetch {
    prefetch(images.map { ($0.url, $0.id) }, priority)
  }

  private func prefetch(_ images: [(url: String, id: String?)], _ priority: Priority) -> Prefetch {
    let caller = Task { [loader] in try await loader.identity() }
    let loads = images.map { PrefetchedImage(url: $0.url, name: $0.id, loader: loader, caller: caller) }
    return Prefetch(queue: queue, id: queue.add(loads, priority))
  }

  /// What the cache holds, and how it was used.
  public func usage() async -> HTTPCache.Usage { await cache.usage() }

  /// Removes everything from the cache, the responses for other callers and of ``CacheMiddleware`` as well.
  public func removeAll() async { await cache.removeAll() }

  /// Removes an image from the cache, for all callers. Without effect if it is not there.
  ///
  /// - Parameters:
  ///   - url: absolute, or a path on the gateway.
  ///   - id: the ID with which it was loaded. Default: nil, for none.
  public func remove(_ url: String, id: String? = nil) async {
    if let place = loader.place(url) { await cache.remove(CacheKey(url: place.url, named: id, identity: nil).url) }
  }

  /// Cancels prefetches and the cache's work in the background, and waits for them. Later prefetches have no effect, also
  /// those of ``with(_:)``; ``image(_:id:)`` still works. Call it when you no longer need the cache.
  public func shutdown() async {
    await queue.shutdown()
    await cache.shutdown()
  }
}

/// Images that are loaded in the background; see `MediaCache.prefetch`.
public struct Prefetch: Sendable {
  private let queue: PrefetchQueue<PrefetchedImage>
  private let id: Int

  init(queue: PrefetchQueue<PrefetchedImage>, id: Int) {
    self.queue = queue
    self.id = id
  }

  /// Cancels the loads that no other prefetch and no ``MediaCache/image(_:id:)`` waits for.
  public func cancel() { queue.cancel(id) }

  /// Waits until all images are loaded, failed, or cancelled.
  public func finish() async { await queue.finish(id) }
}

public import NovaCore

/// Loads avatars and images through a cache. Create one for a client, and share it.
///
/// ```swift
/// let images = MediaCache(client: nova.client, cache: HTTPCache())
/// if let url = profile.avatarUrl { show(try await images.image(url).bytes) }
/// ```
///
/// Images of the gateway are stored for the caller that loads them, see ``APIClient/identity(for:)``: another user who
/// signs in, or whose token is in the options, loads them again. Other callers get them only if the gateway, and each
/// redirect, allows caches to share them. Images of other servers, which receive no token, are stored for all callers.
public final class MediaCache: Sendable {
  /// The urgency of a load.
  public enum Priority: Int, Sendable, Hashable, Comparable {
    /// Soon, if nothing more urgent is waiting.
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
  ///   - options: the options of all loads, which may include a token. Their headers are sent to the gateway only.
  ///     Default: the client's caller, and the time limits of transfers.
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

  /// Returns the same cache with other options, for example for another caller. Both share the limits for prefetches.
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

  /// Returns an image from the cache, or loads it. Concurrent loads of one URL share a request. A stale image is
  /// returned, unless the server forbids it, if the server fails, cannot be reached, or sends something that cannot be
  /// a later version of the stored image.
  ///
  /// With an ID, an image is found even if its URL was signed again: the URL's query is then used only to load it. Such
  /// an image is stored for the caller alone, whatever the server allows, because the signature may be what grants
  /// access.
  ///
  /// ```swift
  /// let avatar = try await images.image(profile.avatarUrl, id: profile.id)
  /// ```
  ///
  /// - Parameters:
  ///   - url: an absolute URL, or a path on the gateway, as the backend returns it.
  ///   - id: identifies the image together with the URL without its query, such as the ID of its user. Default: nil;
  ///     the whole URL identifies it.
  /// - Throws: `APIError`: for example `notFound`; `invalidResponse` if the image is too large, compressed, or
  ///   incomplete; `cancelled` if the task is cancelled. Other tasks that wait for the same image still receive it.
  public func image(_ url: String, id: String? = nil) async throws -> CachedMedia {
    try await queue.visible(PrefetchedImage(url: url, name: id, loader: loader)) {
      try await loader.load(url, named: id)
    }
  }

  /// Loads images into the cache in the background: at most four at a time, and only one while ``image(_:id:)`` loads
  /// another image.
  ///
  /// An image that cannot be loaded is skipped without an error. So is one whose caller has signed out or changed when
  /// its turn comes. ``image(_:id:)`` does not wait for its URL's turn, and raises the priority of a prefetch of the
  /// same image.
  ///
  /// - Parameters:
  ///   - urls: absolute URLs, or paths on the gateway. A URL that is already waiting or loading gets the higher of both
  ///     priorities.
  ///   - priority: which URLs come first. Default: `low`.
  /// - Returns: a handle that cancels the loads, for example when a list has scrolled out of view.
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
  ///   - images: their URLs, absolute or paths on the gateway, and their IDs.
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

  /// What the cache contains, and how it has been used.
  public func usage() async -> HTTPCache.Usage { await cache.usage() }

  /// Removes everything from the cache, including other callers' responses and those of ``CacheMiddleware``.
  public func removeAll() async { await cache.removeAll() }

  /// Removes an image from the cache, for all callers. Has no effect if the image is not stored.
  ///
  /// - Parameters:
  ///   - url: an absolute URL, or a path on the gateway.
  ///   - id: the ID with which it was loaded. Default: nil.
  public func remove(_ url: String, id: String? = nil) async {
    if let place = loader.place(url) { await cache.remove(CacheKey.named(id, at: place.url).url) }
  }

  /// Cancels prefetches and the cache's background work, and waits for them to end. Later prefetches have no effect,
  /// including those of ``with(_:)``; ``image(_:id:)`` still works. Call it when you no longer need the cache.
  public func shutdown() async {
    await queue.shutdown()
    await cache.shutdown()
  }
}

/// A group of images that are loaded in the background; see `MediaCache.prefetch`.
public struct Prefetch: Sendable {
  private let queue: PrefetchQueue<PrefetchedImage>
  private let id: Int

  init(queue: PrefetchQueue<PrefetchedImage>, id: Int) {
    self.queue = queue
    self.id = id
  }

  /// Cancels the loads that neither another prefetch nor ``MediaCache/image(_:id:)`` waits for.
  public func cancel() { queue.cancel(id) }

  /// Returns when all images are loaded, failed, or cancelled.
  public func finish() async { await queue.finish(id) }
}

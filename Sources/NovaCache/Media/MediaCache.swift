public import NovaCore

/// Loads avatars and images through a cache. Create one when a user signs in, and share it.
///
/// ```swift
/// let images = MediaCache(client: nova.client, cache: HTTPCache(), partition: session.user.id)
/// if let url = profile.avatarUrl { show(try await images.image(url).bytes) }
/// ```
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
  private let queue: PrefetchQueue

  /// Creates a loader of images.
  ///
  /// - Parameters:
  ///   - client: sends the requests. Its token goes only to the gateway's own origin.
  ///   - cache: where images are stored.
  ///   - partition: the account that the client is signed in to, for example the id of the session's user; not the user
  ///     whose images are loaded. Images of the gateway are then stored for this account; images of other servers, which get
  ///     no token, are stored for all. Default: nil; images of the gateway are then stored only if it allows shared caches
  ///     to do so.
  ///   - maximumBytes: the maximum size of an image, in bytes. Default: 32 MiB.
  public init(client: APIClient, cache: HTTPCache, partition: String? = nil, maximumBytes: Int = 32 << 20) {
    self.cache = cache
    let loader = MediaLoader(client: client, cache: cache, partition: partition, maximumBytes: maximumBytes)
    self.loader = loader
    queue = PrefetchQueue { url in _ = try? await loader.load(url) }
  }

  /// Returns an image from the cache, or loads it. Concurrent loads of one URL share a request. If the server cannot be
  /// reached, a stale image is returned, unless the server has forbidden that.
  ///
  /// - Parameter url: absolute, or a path on the gateway, as the backend returns it.
  /// - Throws: `APIError`; `notFound`, for example, `invalidResponse` if the image is larger than the maximum, and
  ///   `cancelled` if the task is cancelled, which does not end the request for others that wait for it.
  public func image(_ url: String) async throws -> CachedMedia {
    try await queue.visible(url) { try await loader.load(url) }
  }

  /// Loads images into the cache in the background: at most four at a time, and one at a time while ``image(_:)`` loads
  /// another one.
  ///
  /// An image that cannot be loaded is left out without an error. ``image(_:)`` does not wait for its URL's turn, and
  /// raises the priority of a prefetch of it that runs already.
  ///
  /// - Parameters:
  ///   - urls: absolute, or paths on the gateway. A URL that waits or is being loaded gets the higher priority of both.
  ///   - priority: which URLs come first. Default: `low`.
  /// - Returns: a handle that cancels the loads, for example when a list has scrolled away.
  @discardableResult
  public func prefetch(_ urls: [String], priority: Priority = .low) -> Prefetch {
    Prefetch(queue: queue, id: queue.add(urls, priority))
  }

  /// What the cache holds, and how it was used.
  public func usage() async -> HTTPCache.Usage { await cache.usage() }

  /// Removes everything from the cache, the responses of other accounts and of ``CacheMiddleware`` as well.
  public func removeAll() async { await cache.removeAll() }

  /// Removes an image from the cache, for all accounts. Without effect if it is not there.
  ///
  /// - Parameter url: absolute, or a path on the gateway.
  public func remove(_ url: String) async { if let place = loader.place(url) { await cache.remove(place.url) } }

  /// Cancels prefetches and the cache's work in the background, and waits for them. Later prefetches have no effect;
  /// ``image(_:)`` still works. Call it at a sign-out, before ``removeAll()``.
  public func shutdown() async {
    await queue.shutdown()
    await cache.shutdown()
  }
}

/// Images that are loaded in the background; see ``MediaCache/prefetch(_:priority:)``.
public struct Prefetch: Sendable {
  private let queue: PrefetchQueue
  private let id: Int

  init(queue: PrefetchQueue, id: Int) {
    self.queue = queue
    self.id = id
  }

  /// Cancels the loads that no other prefetch and no ``MediaCache/image(_:)`` waits for.
  public func cancel() { queue.cancel(id) }

  /// Waits until all images are loaded, failed, or cancelled.
  public func finish() async { await queue.finish(id) }
}

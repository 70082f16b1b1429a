public import NovaCore

/// Loads avatars and images through a cache.
///
/// ```swift
/// let media = MediaCache(client: client, cache: cache, partition: userId)
/// let avatar = try await media.image(profile.avatarUrl)
/// ```
public final class MediaCache: Sendable {
  /// How urgent a load is.
  public enum Priority: Int, Sendable, Hashable, Comparable {
    /// Soon, if nothing else is to do.
    case low
    /// Soon.
    case medium
    /// Now: somebody is waiting for it.
    case high

    public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
  }

  private let client: APIClient
  private let cache: HTTPCache
  private let partition: String?
  private let maximumBytes: Int

  /// Creates a loader of images.
  ///
  /// - Parameters:
  ///   - client: sends the requests. Its token goes only to the gateway's own origin.
  ///   - cache: where images are stored.
  ///   - partition: the account whose images these are, see ``CacheMiddleware/init(_:partition:)``. Default: nil.
  ///   - maximumBytes: the maximum size of an image, in bytes. Default: 32 MiB.
  public init(client: APIClient, cache: HTTPCache, partition: String? = nil, maximumBytes: Int = 32 << 20) {
    self.client = client
    self.cache = cache
    self.partition = partition
    self.maximumBytes = maximumBytes
  }

  /// Loads an image. Concurrent loads of one URL share a request.
  ///
  /// - Parameter url: absolute, or a path on the gateway, as the backend returns it.
  /// - Throws: `APIError`.
  public func image(_ url: String) async throws -> CachedMedia {
    throw APIError(.unavailable, "not there yet")
  }

  /// Loads images into the cache in the background, a limited number at a time, after all loads of ``image(_:)``.
  ///
  /// - Parameters:
  ///   - urls: absolute, or paths on the gateway. A URL that is under way already gets the higher priority of both.
  ///   - priority: which prefetches come first. Default: `low`.
  /// - Returns: a handle that cancels what has not been loaded.
  @discardableResult
  public func prefetch(_ urls: [String], priority: Priority = .low) -> Prefetch { Prefetch() }

  /// What the cache holds, and how it was used.
  public func usage() async -> HTTPCache.Usage { await cache.usage() }

  /// Removes everything from the cache.
  public func removeAll() async { await cache.removeAll() }

  /// Removes an image from the cache.
  ///
  /// - Parameter url: absolute, or a path on the gateway.
  public func remove(_ url: String) async {}

  /// Ends prefetches and work in the background, and waits for them.
  public func shutdown() async {}
}

/// Images that are loaded in the background; see ``MediaCache/prefetch(_:priority:)``.
public struct Prefetch: Sendable {
  /// Cancels the loads that nobody else waits for.
  public func cancel() {}

  /// Waits until all images are loaded, failed, or cancelled.
  public func finish() async {}
}

/// An image, and where it came from.
public struct CachedMedia: Sendable, Hashable {
  /// Where an image came from.
  public enum Source: Sendable, Hashable {
    case memory, disk, network
  }

  /// The image, as the server sent it.
  public let bytes: [UInt8]
  /// The media type, for example `image/png`; nil if the server sent none.
  public let contentType: String?
  /// The time since the server created or confirmed the response.
  public let age: Duration
  /// Where it came from.
  public let source: Source
}

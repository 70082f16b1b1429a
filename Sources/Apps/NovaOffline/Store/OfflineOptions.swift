public import NovaCore

/// The settings of an ``OfflineStore``.
public struct OfflineOptions: Sendable {
  /// Where reads get their answers, for calls without a policy of their own. Default: `networkFirst()`.
  public var policy: CachePolicy
  /// The size of the cache in bytes, at least 1 MiB. What was not used for the longest time is removed first. Default:
  /// 64 MiB.
  public var maximumBytes: Int
  /// How often to look for changes by other processes while something is observed. Default: 500 ms.
  public var observationInterval: Duration
  /// Whether waiting writes are sent in the background; otherwise only by ``Outbox/flush()``, for programs that end soon.
  package var sendsInBackground = true

  /// Creates options; every one has a default.
  public init(
    policy: CachePolicy = .networkFirst(), maximumBytes: Int = 64 << 20,
    observationInterval: Duration = .milliseconds(500)
  ) {
    self.policy = policy
    self.maximumBytes = max(maximumBytes, 1 << 20)
    self.observationInterval = max(observationInterval, .milliseconds(10))
  }
}

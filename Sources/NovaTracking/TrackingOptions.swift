public import NovaCore

/// How an ``EventTracker`` keeps and sends events.
///
/// ```swift
/// var options = TrackingOptions()
/// options.allowedProperties = ["screen", "source", "post_id"]
/// options.sampling = .sessions(0.1)
/// ```
public struct TrackingOptions: Sendable {
  /// The most events that one request takes, by the contract.
  public static let largestBatch = 500

  /// How many events a request has at most, and how many wait before they are sent without further waiting, 1...500.
  /// Default: 100.
  public var batchCount = 100
  /// How many bytes of events a request has at most, and how many wait before they are sent; 1 or more. Default: 256
  /// KiB.
  public var batchBytes = 256 << 10
  /// How long the first event that waits can wait for others. Default: 30 s.
  public var flushInterval = Duration.seconds(30)
  /// How long ``EventTracker/flush()`` takes at most. Default: 5 s.
  public var flushTimeout = Duration.seconds(5)
  /// How many events can wait, in memory and on the disk each; beyond that, the oldest are dropped. Default: 10,000.
  public var maximumEvents = 10_000
  /// How many bytes of events can wait, in memory and on the disk each. Default: 16 MiB.
  public var maximumBytes = 16 << 20
  /// How long an event can wait. Older ones are dropped. Default: 30 days.
  public var retention = Duration.seconds(30 * 86_400)
  /// After how long without an event a new session begins. Default: 30 minutes.
  public var sessionInactivity = Duration.seconds(1800)
  /// Which events are recorded. Default: all.
  public var sampling = Sampling.all
  /// The keys of the properties that are recorded; all others are dropped. Keys that name secrets, such as `token`, are
  /// dropped in any case. Default: `screen`, which view models set.
  public var allowedProperties: Set<String> = ["screen"]
  /// How long to wait after a failure, before the waiting events are sent again. Default: up to 5 s, and with each
  /// failure twice as long, up to 5 minutes.
  public var backoff = Backoff(base: .seconds(5), maximum: .seconds(300))

  /// Creates options; every one has a default.
  public init() {}

  /// The options within their ranges.
  var clamped: TrackingOptions {
    var options = self
    options.batchCount = min(max(batchCount, 1), Self.largestBatch)
    options.batchBytes = max(batchBytes, 1)
    options.maximumEvents = max(maximumEvents, 1)
    options.maximumBytes = max(maximumBytes, 1)
    options.flushInterval = min(max(flushInterval, .zero), Self.longest)
    options.flushTimeout = min(max(flushTimeout, .zero), Self.longest)
    return options
  }

  /// Clocks overflow beyond times that nobody means.
  private static let longest = Duration.seconds(86_400)
}

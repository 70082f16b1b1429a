public import NovaCore

/// How an ``EventTracker`` keeps and sends events.
///
/// ```swift
/// var options = TrackingOptions()
/// options.allowedProperties = ["screen", "source", "post_id"]
/// options.sampling = .sessions(0.1)
/// ```
public struct TrackingOptions: Sendable {
  /// The maximum number of events in one request, by the contract.
  public static let largestBatch = 500

  /// The maximum number of events in a request. As soon as so many wait, they are sent. 1...500; default: 100.
  public var batchCount = 100
  /// The maximum number of bytes of events in a request. As soon as so many wait, they are sent. 1 or more; default:
  /// 256 KiB.
  public var batchBytes = 256 << 10
  /// How long the first waiting event waits for others. Default: 30 s.
  public var flushInterval = Duration.seconds(30)
  /// The maximum duration of ``EventTracker/flush()``. Default: 5 s.
  public var flushTimeout = Duration.seconds(5)
  /// The maximum number of waiting events, in memory and on the disk each; the oldest ones beyond it are dropped.
  /// Default: 10,000.
  public var maximumEvents = 10_000
  /// The maximum number of bytes of waiting events, in memory and on the disk each. Default: 16 MiB.
  public var maximumBytes = 16 << 20
  /// How long an event can wait before it is dropped. Default: 30 days.
  public var retention = Duration.seconds(30 * 86_400)
  /// How long a session continues without an event. Default: 30 minutes.
  public var sessionInactivity = Duration.seconds(1800)
  /// Which events are recorded. Default: all.
  public var sampling = Sampling.all
  /// The keys of the properties that are recorded; all others are dropped. Keys that name secrets, such as `token`, are
  /// dropped in any case. Default: `screen`, which view models set.
  public var allowedProperties: Set<String> = ["screen"]
  /// How long to wait after a failure before sending the events again. Default: up to 5 s, doubled with each failure,
  /// up to 5 minutes.
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

  /// A limit beyond any useful value, because longer times would overflow clocks.
  private static let longest = Duration.seconds(86_400)
}

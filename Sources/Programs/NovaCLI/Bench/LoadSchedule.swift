import NovaCore

/// When the requests of a load are due: at a constant rate, whatever the gateway does.
struct LoadSchedule: Sendable, Equatable {
  /// Requests per second.
  let rate: Double
  /// How long the requests before the measured ones are sent.
  let warmUp: Duration
  /// How long the measured requests are sent.
  let duration: Duration

  /// The number of requests, including those of the warm-up.
  var total: Int { warmUpCount + count }
  /// The number of requests that warm up the connections and the gateway, and are not measured.
  var warmUpCount: Int { Self.count(rate, warmUp) }
  /// The number of measured requests, at least 1.
  var count: Int { max(1, Self.count(rate, duration)) }

  /// The time from the start of the load until a request is due.
  ///
  /// - Parameter index: the number of the request, counted from 0.
  func start(of index: Int) -> Duration { .nanoseconds(Int64((Double(index) / rate * 1e9).rounded())) }

  /// When nothing more is sent, from the start of the load.
  var end: Duration { start(of: total) }

  /// The part of the measured time in which a measured request is due: 0 for the first, ``slices`` - 1 for the last.
  func slice(of index: Int) -> Int { min(Self.slices - 1, (index - warmUpCount) * Self.slices / count) }

  /// The number of parts in which the measured time is divided, to find out how much results vary.
  static let slices = 10

  /// The number of requests in a time.
  private static func count(_ rate: Double, _ time: Duration) -> Int { Int((rate * (time / .seconds(1))).rounded()) }
}

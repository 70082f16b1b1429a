/// How long to wait between attempts: exponential with full jitter, a random part of a time that grows.
///
/// Full jitter spreads the callers that one outage has brought into step. A server's `Retry-After` is used in its place.
public struct Backoff: Sendable, Equatable {
  /// The most that is waited before the second attempt. Default 2 s.
  public var base: Duration
  /// How much that grows with each attempt. Default 2.
  public var factor: Double
  /// The most that is waited ever. Default 30 s.
  public var maximum: Duration

  /// Creates a backoff.
  public init(base: Duration = .seconds(2), factor: Double = 2, maximum: Duration = .seconds(30)) {
    self.base = max(.zero, base)
    self.factor = max(1, factor)
    self.maximum = max(.zero, maximum)
  }

  /// The longest wait behind the attempt of this number, counted from 1; never negative, and at most a day.
  package func ceiling(after attempt: Int) -> Duration {
    // Whatever numbers were given: durations trap where they overflow, and so do clocks that are to wait for ever.
    let longest = min(max(maximum, .zero), .seconds(86_400))
    let factor = factor >= 1 ? min(factor, 1000) : 1
    var ceiling = min(max(base, .zero), longest)
    guard factor > 1, ceiling > .zero else { return ceiling }
    var number = 1
    while number < attempt, ceiling < longest {
      ceiling = min(max(ceiling * factor, ceiling + .nanoseconds(1)), longest)
      number += 1
    }
    return ceiling
  }

  /// The wait behind the attempt of this number.
  ///
  /// - Parameter random: 0..<1.
  package func wait(after attempt: Int, random: Double) -> Duration { ceiling(after: attempt) * random }
}

/// A server's `Retry-After`: seconds, or the time of day.
package enum RetryAfter {
  /// More than a day is a refusal rather than a wait; the call's deadline ends it.
  private static let longest: Int64 = 366 * 86_400

  /// The wait that the server requests; nil if the header is missing or invalid.
  ///
  /// - Parameter unixTime: the time here. A response that carries its own `Date` is measured by that, so that it does
  ///   not matter whose clock is wrong.
  package static func wait(_ headers: HTTPHeaders, unixTime: Double) -> Duration? {
    guard let text = headers["Retry-After"] else { return nil }
    if !text.isEmpty, text.consists(of: .digits) {
      return .seconds(min(UInt64(digits: text[...]) ?? UInt64(longest), UInt64(longest)))
    }
    guard let time = HTTPDate.seconds(text) else { return nil }
    let now = headers["Date"].flatMap(HTTPDate.seconds).map(Double.init) ?? unixTime
    return .seconds(min(max(0, Double(time) - now), Double(longest)))
  }
}

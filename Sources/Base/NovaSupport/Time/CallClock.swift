internal import NovaLibc

/// A client's clock: measures attempts, waits between them, limits calls, and decides when tokens expire.
///
/// All waits and expirations use such a clock, so that a test can advance a day at once; see `ManualClock` in
/// NovaTesting.
public protocol CallClock: Clock where Instant == ContinuousClock.Instant {
  /// The time of day, in seconds since 1970-01-01T00:00:00Z. It can jump, so it is compared only with times from other
  /// machines: the expiration of a token, or a date in `Retry-After`.
  var unixTime: Double { get }
}

extension ContinuousClock: CallClock {
  public var unixTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
  }
}

extension CallClock {
  /// Measures how long `body` takes.
  package func timed<Result>(_ body: () async throws -> Result) async -> (Swift.Result<Result, any Error>, Duration) {
    let start = now
    do {
      let result = try await body()
      return (.success(result), start.duration(to: now))
    } catch {
      return (.failure(error), start.duration(to: now))
    }
  }
}

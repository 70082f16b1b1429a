#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The time of a client: measures attempts, waits between them, limits calls, and decides when tokens expire.
///
/// Everything that waits or expires asks a clock of this kind, so that a test can let a day pass at once; see
/// `ManualClock` in NovaTesting.
public protocol CallClock: Clock where Instant == ContinuousClock.Instant {
  /// The time of day, in seconds since 1970-01-01T00:00:00Z. It may be set back and forth; only what comes from
  /// elsewhere (the expiry of a token, a date in `Retry-After`) is compared with it.
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
  /// How long `body` takes.
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

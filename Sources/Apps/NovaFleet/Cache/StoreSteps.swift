internal import NovaRedis
internal import NovaSupport

/// Steps of a store that may only delay calls for a short time. After a failure, the store is left alone for a while.
final class StoreSteps: Sendable {
  private let maximumDelay: Duration
  private let pause: Duration
  private let clock: any CallClock
  private let pausedUntil = Locked<ContinuousClock.Instant?>(nil)

  init(maximumDelay: Duration, pause: Duration, clock: any CallClock) {
    (self.maximumDelay, self.pause, self.clock) = (maximumDelay, pause, clock)
  }

  /// Runs a step.
  ///
  /// - Parameter mustBeTried: whether it is tried although the store is left alone. Default: false.
  /// - Throws: `FleetStoreFailure` if it failed, took too long, or was not tried; `CancellationError`.
  func run(
    mustBeTried: Bool = false, _ step: @escaping @Sendable () async throws -> RedisReply
  ) async throws -> RedisReply {
    let now = clock.now
    if !mustBeTried, let end = pausedUntil.withLock({ $0 }), now < end { throw FleetStoreFailure() }
    do {
      return try await Race.run(until: now.advanced(by: maximumDelay), clock, timeUp: FleetStoreFailure(), step)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      let end = now.advanced(by: pause)
      pausedUntil.withLock { $0 = end }
      throw FleetStoreFailure()
    }
  }
}

/// The store cannot be used now.
struct FleetStoreFailure: Error {}

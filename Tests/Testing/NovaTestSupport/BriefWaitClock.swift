public import NovaCore
import NovaTesting

/// A clock that stands still, on which short sleeps are over at once: for tests in which the waits between repetitions do
/// not matter, and long ones, such as for signs of life, must not pass.
public struct BriefWaitClock: CallClock {
  /// Sleeps of up to this time are over at once: the longest wait for another connection, without its random part, is 7.5 s.
  public static let briefWait = Duration.seconds(8)

  private let base: ManualClock

  public init(_ base: ManualClock) { self.base = base }

  public var now: ContinuousClock.Instant { base.now }
  public var unixTime: Double { base.unixTime }
  public var minimumResolution: Duration { base.minimumResolution }

  public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    guard base.now.duration(to: deadline) > Self.briefWait else {
      // Others have their turn, as they would in the time.
      await Task.yield()
      return try Task.checkCancellation()
    }
    try await base.sleep(until: deadline, tolerance: tolerance)
  }
}

import NovaCore
import NovaLibc

/// Counts the steps of this process, and kills or stops it at one of them.
final class StepGate: Sendable {
  private let kill: Int?
  private let stop: Int?
  private let steps = Locked(0)

  init(kill: Int?, stop: Int?) { (self.kill, self.stop) = (kill, stop) }

  var count: Int { steps.withLock { $0 } }

  /// Runs a step; before it and after it, the process may end or stop.
  func step<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    pass()
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    pass()
    return try result.get()
  }

  private func pass() {
    let number = steps.withLock { steps in
      steps += 1
      return steps
    }
    if number == kill { raise(SIGKILL) }
    if number == stop {
      // The whole process, at once: a signal to this thread alone would let the others run on for a moment.
      _ = NovaLibc.kill(getpid(), SIGSTOP)
    }
  }
}

/// A clock whose time of day is wrong.
struct OffsetClock: CallClock {
  let seconds: Double
  private let clock = ContinuousClock()

  init(seconds: Double) { self.seconds = seconds }

  var unixTime: Double { clock.unixTime + seconds }
  var now: ContinuousClock.Instant { clock.now }
  var minimumResolution: Duration { clock.minimumResolution }
  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}

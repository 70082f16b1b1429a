import NovaCore
import NovaTesting
import Testing

@testable import NovaFleet

@Suite struct LeaseWaitTests {
  /// How long a machine waits, if nothing more changes.
  private func pause(_ wait: LeaseWait, _ clock: ManualClock) async -> Duration {
    let (start, isOver) = (clock.now, Locked(false))
    let waiting = Task {
      var wait = wait
      await wait.next(remaining: .seconds(5)) { AsyncStream { $0.finish() } }
      isOver.withLock { $0 = true }
    }
    while !isOver.withLock({ $0 }) {
      clock.advanceToNextSleeper()
      await Task.yield()
    }
    await waiting.value
    return start.duration(to: clock.now)
  }

  @Test func withoutChangesPausesAreShort() async {
    let clock = ManualClock()
    let pause = await pause(LeaseWait(clock: clock, maximumPause: .milliseconds(400)), clock)
    #expect(.milliseconds(5)...(.milliseconds(10)) ~= pause)
  }

  @Test func aMachineThatIsToldOfChangesNeedNotLookOften() async {
    let clock = ManualClock()
    var wait = LeaseWait(clock: clock, maximumPause: .milliseconds(400))
    let (stream, changes) = AsyncStream.makeStream(of: Void.self)
    changes.yield()
    // Ends with the element: the clock stands still.
    await wait.next(remaining: .seconds(5)) { stream }
    let pause = await pause(wait, clock)
    #expect(.milliseconds(200)...(.milliseconds(400)) ~= pause)
  }
}

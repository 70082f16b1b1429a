import NovaCore
import NovaSupport
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaFleet

@Suite(.hangLimit) struct OwedStepsTests {
  /// What the steps do, one after the other, and what they were called with.
  private final class Store: Sendable {
    let isAway = Locked(true)
    let calls = Locked<[String]>([])

    func run(_ key: String, _ value: String) -> Bool {
      calls.withLock { $0.append("\(key)=\(value)") }
      return !isAway.withLock { $0 }
    }
  }

  private let clock = ManualClock()
  private let store = Store()

  private func steps(limit: Int = .max) -> OwedSteps<String, String> {
    OwedSteps(limit: limit, otherwise: ("all", ""), pause: .seconds(1), clock: clock) { [store] key, value, _ in
      store.run(key, value)
    }
  }

  @Test func whatFailedIsRepeatedInTheBackground() async {
    let steps = steps()
    #expect(await !steps.run("a", "1"))
    #expect(await !steps.settle("a"))
    #expect(await steps.settle("b"))
    store.isAway.withLock { $0 = false }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    while store.calls.withLock({ $0.count }) < 3 { await Task.yield() }
    #expect(store.calls.withLock { $0 } == ["a=1", "a=1", "a=1"])
    while await !steps.settle("a") {}
    #expect(await steps.run("a", "2"))
  }

  /// The success of an earlier request does not settle a later one.
  @Test func aLaterRequestIsNotSettledByAnEarlierOne() async {
    let (isHeld, isReleased, calls) = (WakeSignal(), WakeSignal(), Locked(0))
    let steps = OwedSteps<String, Void>(pause: .seconds(1), clock: clock) { _, _, _ in
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      if call == 1 {
        isHeld.wake()
        await isReleased.wait()
      }
      return call != 2
    }
    let first = Task { await steps.run("a", ()) }
    await isHeld.wait()
    #expect(await !steps.run("a", ()))
    isReleased.wake()
    #expect(await first.value)
    #expect(await steps.settle("a") && calls.withLock { $0 } == 3)
  }

  @Test func tooManyBecomeOneForEverything() async {
    let steps = steps(limit: 2)
    for key in ["a", "b", "c"] { #expect(await !steps.run(key, "")) }
    #expect(await !steps.settle("all"))
    #expect(await steps.settle("a") && store.calls.withLock { $0 } == ["a=", "b=", "c=", "all="])
  }
}

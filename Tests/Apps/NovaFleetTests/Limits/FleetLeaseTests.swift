import NovaFleet
import NovaSupport
import NovaTestSupport
import NovaTesting
import Testing

/// What a limiter does with its lease, on a clock that the test advances.
@Suite(.hangLimit) struct FleetLeaseTests {
  @Test func unusedTokensAreGivenBackWhenTheLeaseEnds() async throws {
    let (store, clock) = (CountedLimits(tokens: 1000), ManualClock())
    let limiter = FleetLimiter(try FleetLimit("t", rate: 100, burst: 200), store: store, clock: clock)
    try await limiter.acquire()
    let leased = 1000 - store.state.withLock { $0.tokens }
    #expect(leased > 1)
    await clock.waitForSleepers(1)
    #expect(store.state.withLock { $0.givenBack } == 0)
    clock.advance(by: .milliseconds(500))
    try await waitUntil { store.state.withLock { $0.tokens } == 999 }
    await limiter.shutdown()
  }

  @Test func closingGivesBackAndRefuses() async throws {
    let store = CountedLimits(tokens: 1000)
    let limiter = FleetLimiter(try FleetLimit("t", rate: 100, burst: 200), store: store, clock: ManualClock())
    try await limiter.acquire()
    await limiter.shutdown()
    try await waitUntil { store.state.withLock { $0.tokens } == 999 }
    await #expect { try await limiter.acquire() } throws: { ($0 as? FleetLimitError)?.kind == .closed }
  }

  @Test func callsWaitInOrderWithHighPriorityFirst() async throws {
    let (store, clock) = (CountedLimits(), ManualClock())
    let limiter = FleetLimiter(try FleetLimit("t", rate: 100, burst: 100), store: store, clock: clock)
    let order = Locked<[String]>([])
    let first = Task { try await limiter.acquire() }
    // The clock's only sleeper is the limiter, which waits for its first token.
    await clock.waitForSleepers(1)
    var calls = [first]
    for name in ["a", "b", "high c", "d"] {
      let started = Locked(false)
      calls.append(
        Task {
          started.withLock { $0 = true }
          try await limiter.acquire(priority: name.hasPrefix("high") ? .high : .normal)
          order.withLock { $0.append(name) }
        })
      try await waitUntil { started.withLock { $0 } }
      try await Task.sleep(for: .milliseconds(50))
    }
    // One token at a time.
    for count in 0..<5 {
      store.state.withLock { $0.tokens = 1 }
      try await waitUntil {
        if clock.sleeperCount > 0 { clock.advance(by: .seconds(2)) }
        return store.state.withLock { $0.tokens } == 0 && order.withLock { $0.count } >= count
      }
    }
    for call in calls { try await call.value }
    // The first of those of normal priority waited before all others.
    #expect(order.withLock { $0 } == ["high c", "a", "b", "d"])
    await limiter.shutdown()
  }

  @Test func aCallWhoseTurnComesTooLateFailsAtOnce() async throws {
    let (store, clock) = (CountedLimits(), ManualClock())
    let limiter = FleetLimiter(try FleetLimit("t", rate: 100, burst: 100), store: store, clock: clock)
    // The next token comes in 10 s; the clock does not move.
    await #expect { try await limiter.acquire(until: clock.now.advanced(by: .seconds(9))) } throws: {
      ($0 as? FleetLimitError)?.kind == .deadline
    }
    await limiter.shutdown()
  }

  @Test func aCancelledCallUsesNoToken() async throws {
    let (store, clock) = (CountedLimits(), ManualClock())
    let limiter = FleetLimiter(try FleetLimit("t", rate: 100, burst: 100), store: store, clock: clock)
    let call = Task { try await limiter.acquire() }
    await clock.waitForSleepers(1)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    store.state.withLock { $0.tokens = 10 }
    clock.advance(by: .seconds(10))
    await limiter.shutdown()
    #expect(store.state.withLock { $0.tokens } == 10)
  }

  @Test func aPauseStopsAtOnceAndIsTold() async throws {
    let (store, clock) = (CountedLimits(tokens: 1000), ManualClock())
    let limiter = FleetLimiter(try FleetLimit("t", rate: 100, burst: 200), store: store, clock: clock)
    try await limiter.acquire()
    limiter.pause(for: .seconds(86_400))
    try await waitUntil { store.state.withLock { $0.tokens } == 999 }
    try await waitUntil { store.state.withLock { $0.pauses } == [.seconds(3600)] }
    await #expect { try await limiter.acquire(until: clock.now.advanced(by: .seconds(3599))) } throws: {
      ($0 as? FleetLimitError)?.kind == .deadline
    }
    clock.advance(by: .seconds(3600))
    try await limiter.acquire()
    await limiter.shutdown()
  }
}

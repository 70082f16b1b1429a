import NovaSupport
import NovaTestSupport
import Testing

@Suite(.hangLimit) struct SingleFlightTests {
  @TaskLocal private static var trace = ""

  @Test(arguments: [true, false]) func workIsAPartOfTheFirstCallOnlyIfItBelongsToIt(_ isFirstTask: Bool) async throws {
    let flight = SingleFlight<NoKey, String>(owner: isFirstTask ? .firstTask : .noTask)
    let seen = try await Self.$trace.withValue("first") { try await flight.join { Self.trace } }
    #expect(seen == (isFirstTask ? "first" : ""))
  }

  /// A cancelled waiter stops waiting, and changes nothing else.
  @Test(arguments: [true, false]) func workOutlivesItsFirstCall(_ isFirstTask: Bool) async throws {
    let flight = SingleFlight<NoKey, Bool>(owner: isFirstTask ? .firstTask : .noTask)
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let first = Task {
      try await flight.join {
        for await _ in gate { break }
        return Task.isCancelled
      }
    }
    while flight.waiterCount == 0 { await Task.yield() }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(flight.isRunning)
    let second = Task { try await flight.join { true } }
    while flight.waiterCount == 0 { await Task.yield() }
    opening.yield()
    #expect(try await second.value == false)
  }

  @Test func workOfItsWaitersEndsWithTheLast() async throws {
    let flight = SingleFlight<String, Void>(owner: .waiters)
    let isCancelled = Locked(false)
    let work: @Sendable () async throws -> Void = {
      try await withTaskCancellationHandler {
        try await Task.sleep(for: .seconds(3600))
      } onCancel: {
        isCancelled.withLock { $0 = true }
      }
    }
    let waiters = (0..<3).map { _ in Task { try await flight.join("a", work) } }
    while flight.waiterCount("a") < 3 { await Task.yield() }
    for (index, waiter) in waiters.enumerated() {
      #expect(!isCancelled.withLock { $0 }, "with \(3 - index) waiters")
      waiter.cancel()
      await #expect(throws: CancellationError.self) { try await waiter.value }
    }
    #expect(isCancelled.withLock { $0 } && !flight.isRunning("a"))
  }

  @Test func eachKeyHasWorkOfItsOwn() async throws {
    let flight = SingleFlight<Int, Int>()
    let runs = Locked(0)
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let results = try await withThrowingTaskGroup(of: (key: Int, outcome: SingleFlight<Int, Int>.Outcome).self) {
      group in
      for index in 0..<30 {
        group.addTask {
          let key = index % 3
          let outcome = try await flight.outcome(key) {
            runs.withLock { $0 += 1 }
            for await _ in gate { break }
            return key * 10
          }
          return (key, outcome)
        }
      }
      while (0..<3).contains(where: { flight.waiterCount($0) < 10 }) { await Task.yield() }
      opening.finish()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(runs.withLock { $0 } == 3)
    for (key, outcome) in results { #expect(try outcome.result.get() == key * 10) }
    #expect(results.count { $0.outcome.isFirst } == 3)
  }

  @Test func restWaitsForWorkThatNobodyWaitsFor() async throws {
    let flight = SingleFlight<NoKey, Void>()
    await flight.rest()
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let isDone = Locked(false)
    flight.start {
      for await _ in gate { break }
      isDone.withLock { $0 = true }
    }
    flight.start { Issue.record("it is under way") }
    opening.yield()
    await flight.rest()
    #expect(isDone.withLock { $0 } && !flight.isRunning)
  }

  @Test func aFailureIsThatOfAllWaiters() async throws {
    struct Failure: Error {}
    let flight = SingleFlight<NoKey, Void>()
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let waiters = (0..<3).map { _ in
      Task {
        try await flight.join {
          for await _ in gate { break }
          throw Failure()
        }
      }
    }
    while flight.waiterCount < 3 { await Task.yield() }
    opening.yield()
    for waiter in waiters { await #expect(throws: Failure.self) { try await waiter.value } }
    try await flight.join {}
  }
}

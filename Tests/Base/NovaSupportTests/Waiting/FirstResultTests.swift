import NovaSupport
import Testing

@Suite struct FirstResultTests {
  private struct TooLate: Error {}

  @Test func onlyTheFirstResultCounts() async throws {
    let result = FirstResult<Int>()
    #expect(!result.isFinished)
    #expect(result.finish(.success(1)))
    #expect(!result.finish(.success(2)))
    #expect(result.isFinished)
    #expect(try await result.value() == 1)
    #expect(!result.finish(.success(3)))
  }

  @Test func aWaitingTaskGetsTheResult() async throws {
    let result = FirstResult<Int>()
    async let value = result.value()
    await Task.yield()
    result.finish(.success(1))
    #expect(try await value == 1)
  }

  @Test func cancellationIsAResult() async {
    let result = FirstResult<Int>()
    let task = Task { try await result.value() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!result.finish(.success(1)))
  }

  @Test func withoutItsLimitNothingGivesItUp() async throws {
    let result = FirstResult<Int>()
    #expect(result.liftLimit())
    result.giveUp(TooLate())
    let task = Task { try await result.value() }
    task.cancel()
    await Task.yield()
    #expect(!result.isFinished)
    result.finish(.success(1))
    #expect(try await task.value == 1)
  }

  @Test func aResultCannotBeSavedFromItsLimit() async {
    let result = FirstResult<Int>()
    result.giveUp(TooLate())
    #expect(!result.liftLimit())
    await #expect(throws: TooLate.self) { try await result.value() }
  }
}

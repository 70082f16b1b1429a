import NovaTestSupport
import Testing

@testable import NovaOffline

/// The order of writes that are about the same.
@Suite(.hangLimit) struct WriteTurnsTests {
  private let turns = WriteTurns()

  private func waiting(for turn: WriteTurns.Turn, count: Int = 1) async -> Task<Void, any Error> {
    let task = Task { [turns] in try await turns.wait(for: turn) }
    while turns.waiterCount < count { await Task.yield() }
    return task
  }

  @Test func writesAboutTheSameWaitAndOthersGoOn() async throws {
    let first = turns.enter(["a", "b"], identity: .me)
    let second = turns.enter(["b", "c"], identity: .me)
    #expect(turns.isFree(first) && !turns.isFree(second))
    for entities in [["d"], []] { #expect(turns.isFree(turns.enter(entities, identity: .me))) }
    #expect(turns.isFree(turns.enter(["a"], identity: .other)))
    // After the second, although no turn has `c`.
    let third = turns.enter(["c"], identity: .me)
    let waiter = await waiting(for: second)
    turns.leave(first)
    try await waiter.value
    #expect(!turns.isFree(third))
    turns.leave(second)
    try await turns.wait(for: third)
  }

  @Test func whoeverGivesUpMakesRoom() async throws {
    let first = turns.enter(["a"], identity: .me)
    let second = turns.enter(["a", "b"], identity: .me)
    let third = turns.enter(["b"], identity: .me)
    let waiter = await waiting(for: second)
    let last = await waiting(for: third, count: 2)
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    try await last.value
    turns.leave(second)
    #expect(turns.isFree(first) && turns.waiterCount == 0)
    // Cancelled before it waits.
    let fourth = turns.enter(["a"], identity: .me)
    let cancelled = Task { [turns] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await turns.wait(for: fourth)
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }

  @Test func entriesWaitForWhatIsBeingSent() {
    let turn = turns.enter(["a"], identity: .me)
    #expect(!turns.isSending(about: ["a"], identity: .me))
    turns.beginSending(turn)
    #expect(!turns.isSending(about: ["b"], identity: .me) && !turns.isSending(about: ["a"], identity: .other))
    #expect(turns.isSending(about: ["b", "a"], identity: .me))
    #expect(turns.leave(turn), "somebody has to look again")
    #expect(!turns.isSending(about: ["a"], identity: .me))
    #expect(!turns.leave(turn))
  }

  @Test func nobodyWaitsAfterTheEnd() async throws {
    let first = turns.enter(["a"], identity: .me)
    let waiter = await waiting(for: turns.enter(["a"], identity: .me))
    turns.end()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    await #expect(throws: CancellationError.self) { try await turns.wait(for: first) }
  }
}

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
    let first = turns.enter(["a", "b"], account: "me")
    let second = turns.enter(["b", "c"], account: "me")
    #expect(turns.isFree(first) && !turns.isFree(second))
    for entities in [["d"], []] { #expect(turns.isFree(turns.enter(entities, account: "me"))) }
    #expect(turns.isFree(turns.enter(["a"], account: "other")))
    // Behind the second, although nobody has `c`.
    let third = turns.enter(["c"], account: "me")
    let waiter = await waiting(for: second)
    turns.leave(first)
    try await waiter.value
    #expect(!turns.isFree(third))
    turns.leave(second)
    try await turns.wait(for: third)
  }

  @Test func whoeverGivesUpMakesRoom() async throws {
    let first = turns.enter(["a"], account: "me")
    let second = turns.enter(["a", "b"], account: "me")
    let third = turns.enter(["b"], account: "me")
    let waiter = await waiting(for: second)
    let last = await waiting(for: third, count: 2)
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    try await last.value
    turns.leave(second)
    #expect(turns.isFree(first) && turns.waiterCount == 0)
    // Cancelled before it waits.
    let fourth = turns.enter(["a"], account: "me")
    let cancelled = Task { [turns] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await turns.wait(for: fourth)
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }

  @Test func entriesWaitForWhatIsBeingSent() {
    let turn = turns.enter(["a"], account: "me")
    #expect(!turns.isSending(about: ["a"], account: "me"))
    turns.beginSending(turn)
    #expect(!turns.isSending(about: ["b"], account: "me") && !turns.isSending(about: ["a"], account: "other"))
    #expect(turns.isSending(about: ["b", "a"], account: "me"))
    #expect(turns.leave(turn), "somebody has to look again")
    #expect(!turns.isSending(about: ["a"], account: "me"))
    #expect(!turns.leave(turn))
  }

  @Test func nobodyWaitsAfterTheEnd() async throws {
    let first = turns.enter(["a"], account: "me")
    let waiter = await waiting(for: turns.enter(["a"], account: "me"))
    turns.end()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    await #expect(throws: CancellationError.self) { try await turns.wait(for: first) }
  }
}

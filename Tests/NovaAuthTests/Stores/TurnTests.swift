import NovaCore
import Testing

@testable import NovaAuth

@Suite struct TurnTests {
  @Test func whoWaitsFirstIsServedFirst() async throws {
    let turn = Turn()
    let order = Locked<[Int]>([])
    try await turn.take()
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<5 {
      tasks.append(
        Task {
          try await turn.take()
          order.withLock { $0.append(number) }
          turn.pass()
        })
      while turn.waiterCount <= number { await Task.yield() }
    }
    turn.pass()
    for task in tasks { try await task.value }
    #expect(order.withLock { $0 } == [0, 1, 2, 3, 4])
  }
}

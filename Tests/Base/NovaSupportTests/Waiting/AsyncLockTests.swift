import NovaSupport
import Testing

@Suite struct AsyncLockTests {
  @Test func waitersAcquireItInOrder() async throws {
    let lock = AsyncLock()
    let order = Locked<[Int]>([])
    try await lock.withLock {
      for number in 0..<5 {
        Task { try await lock.withLock { order.withLock { $0.append(number) } } }
        while lock.waiterCount <= number { await Task.yield() }
      }
    }
    while order.withLock({ $0.count }) < 5 { await Task.yield() }
    #expect(order.withLock { $0 } == [0, 1, 2, 3, 4])
  }
}

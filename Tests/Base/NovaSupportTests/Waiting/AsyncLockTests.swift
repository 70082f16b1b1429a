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

  @Test func cancelledWaitersLeave() async throws {
    let lock = AsyncLock()
    try await lock.withLock {
      let waiters = (0..<3).map { _ in Task { try await lock.withLock {} } }
      while lock.waiterCount < 3 { await Task.yield() }
      waiters[1].cancel()
      await #expect(throws: CancellationError.self) { try await waiters[1].value }
      #expect(lock.waiterCount == 2)
      waiters[0].cancel()
      waiters[2].cancel()
      for waiter in waiters { _ = await waiter.result }
      #expect(lock.waiterCount == 0)
    }
    try await lock.withLock {}
  }
}

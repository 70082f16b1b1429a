/// A lock for tasks. Tasks acquire it in the order in which they began to wait.
package final class AsyncLock: Sendable {
  private struct State {
    var isAcquired = false
    /// In order. Those that were cancelled a moment ago are skipped.
    var waiters: [FirstResult<Void>] = []
  }

  private let state = Locked(State())

  package init() {}

  /// The number of waiting tasks.
  package var waiterCount: Int { state.withLock { $0.waiters.count } }

  /// Runs `body` while holding the lock.
  ///
  /// - Throws: what `body` throws; `CancellationError` if the task is cancelled while it waits.
  package func withLock<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
    try await acquire()
    defer { release() }
    return try await body()
  }

  private func acquire() async throws {
    try Task.checkCancellation()
    let turn = state.withLock { state -> FirstResult<Void>? in
      guard state.isAcquired else {
        state.isAcquired = true
        return nil
      }
      let turn = FirstResult<Void>()
      state.waiters.append(turn)
      return turn
    }
    do { try await turn?.value() } catch {
      state.withLock { state in state.waiters.removeAll { $0 === turn } }
      throw error
    }
  }

  private func release() {
    while let next = nextWaiter() {
      if next.finish(.success(())) { return }
    }
  }

  /// Returns the next waiter; without one, the lock becomes free.
  private func nextWaiter() -> FirstResult<Void>? {
    state.withLock { state in
      guard state.waiters.isEmpty else { return state.waiters.remove(at: 0) }
      state.isAcquired = false
      return nil
    }
  }
}

/// A lock for tasks. Tasks acquire it in the order in which they began to wait.
package final class AsyncLock: Sendable {
  private struct State {
    var isAcquired = false
    var nextID = 0
    var waiters: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    /// Waiters that were cancelled before they began to wait.
    var cancelled: Set<Int> = []
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
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    defer { state.withLock { state in _ = state.cancelled.remove(id) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let outcome: Result<Void, any Error>? = state.withLock { state in
          if state.cancelled.contains(id) { return .failure(CancellationError()) }
          if state.isAcquired {
            state.waiters.append((id, continuation))
            return nil
          }
          state.isAcquired = true
          return .success(())
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func release() {
    let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      if state.waiters.isEmpty {
        state.isAcquired = false
        return nil
      }
      return state.waiters.remove(at: 0).continuation
    }
    next?.resume()
  }

  private func cancel(_ id: Int) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil
      }
      return state.waiters.remove(at: index).continuation
    }
    waiter?.resume(throwing: CancellationError())
  }
}

import NovaCore

/// A lock that tasks wait for, first come, first served.
final class Turn: Sendable {
  private struct State {
    var isTaken = false
    var nextID = 0
    var waiters: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    /// Waiters that were cancelled before they began to wait.
    var cancelled: Set<Int> = []
  }

  private let state = Locked(State())

  /// The number of waiters.
  var waiterCount: Int { state.withLock { $0.waiters.count } }

  /// Waits until the turn is the caller's, who then has to ``pass()`` it on.
  ///
  /// - Throws: `CancellationError`; the turn is then not the caller's.
  func take() async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    defer { state.withLock { state in _ = state.cancelled.remove(id) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let outcome: Result<Void, any Error>? = state.withLock { state in
          if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
          if state.isTaken {
            state.waiters.append((id, continuation))
            return nil
          }
          state.isTaken = true
          return .success(())
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Gives the turn to the next.
  func pass() {
    let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      if state.waiters.isEmpty {
        state.isTaken = false
        return nil
      }
      return state.waiters.removeFirst().continuation
    }
    next?.resume()
  }

  private func cancel(_ id: Int) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      if let index = state.waiters.firstIndex(where: { $0.id == id }) {
        return state.waiters.remove(at: index).continuation
      }
      state.cancelled.insert(id)
      return nil
    }
    waiter?.resume(throwing: CancellationError())
  }
}

/// Wakes a task that waits for work. A signal without a waiting task is kept for the next wait.
package final class WakeSignal: Sendable {
  private struct State {
    var isSet = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  package init() {}

  /// Whether a task waits.
  package var isAwaited: Bool { state.withLock { $0.waiter != nil } }

  package func wake() {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      state.isSet = state.waiter == nil
      return state.waiter
    }
    waiter?.resume()
  }

  /// Returns after a signal, at the deadline, or when the task is cancelled. Only one task may wait at a time.
  package func wait(until deadline: ContinuousClock.Instant?, _ clock: any CallClock) async {
    guard let deadline else { return await wait() }
    let isSet = state.withLock { state in
      defer { state.isSet = false }
      return state.isSet
    }
    if isSet { return }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.wait() }
      group.addTask { try? await clock.sleep(until: deadline, tolerance: nil) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Returns after a signal, or when the task is cancelled. Only one task may wait at a time.
  package func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state in
          if state.isSet || Task.isCancelled {
            state.isSet = false
            return true
          }
          state.waiter = continuation
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      state.withLock { state in
        defer { state.waiter = nil }
        return state.waiter
      }?.resume()
    }
  }
}

import NovaCore

/// A value, protected by a lock, whose changes tasks can wait for.
final class Watched<Value: Sendable>: Sendable {
  private struct Watcher {
    let isMet: @Sendable (Value) -> Bool
    let result = FirstResult<Void>()
  }

  private struct State {
    var value: Value
    /// In order.
    var watchers: [Watcher] = []
  }

  private let state: Locked<State>

  init(_ value: Value) { state = Locked(State(value: value)) }

  var value: Value { state.withLock { $0.value } }

  /// Changes the value, and resumes the tasks whose condition now holds, in order.
  func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    let (result, due) = state.withLock { state in
      let result = body(&state.value)
      let value = state.value
      var due: [FirstResult<Void>] = []
      state.watchers.removeAll { watcher in
        guard watcher.isMet(value) else { return false }
        due.append(watcher.result)
        return true
      }
      return (result, due)
    }
    for watcher in due { watcher.finish(.success(())) }
    return result
  }

  /// Returns once the condition holds.
  ///
  /// - Throws: `CancellationError` if the waiting task is cancelled.
  func wait(until isMet: @escaping @Sendable (Value) -> Bool) async throws {
    try Task.checkCancellation()
    let watcher = state.withLock { state -> Watcher? in
      if isMet(state.value) { return nil }
      let watcher = Watcher(isMet: isMet)
      state.watchers.append(watcher)
      return watcher
    }
    do { try await watcher?.result.value() } catch {
      state.withLock { state in state.watchers.removeAll { $0.result === watcher?.result } }
      throw error
    }
  }
}

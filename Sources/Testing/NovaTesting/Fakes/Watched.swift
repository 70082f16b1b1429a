import NovaCore

/// A value, protected by a lock, whose changes tasks can wait for.
final class Watched<Value: Sendable>: Sendable {
  private struct Watcher {
    let isMet: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var value: Value
    var nextID = 0
    var watchers: [Int: Watcher] = [:]
    /// Waits that were cancelled before they began.
    var cancelled: Set<Int> = []
  }

  private let state: Locked<State>

  init(_ value: Value) { state = Locked(State(value: value)) }

  var value: Value { state.withLock { $0.value } }

  /// Changes the value, and resumes the tasks whose condition now holds, in order.
  func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    let (result, due) = state.withLock { state in
      let result = body(&state.value)
      let value = state.value
      let due = state.watchers.filter { $1.isMet(value) }.sorted { $0.key < $1.key }
      for (id, _) in due { state.watchers[id] = nil }
      return (result, due.map(\.value.continuation))
    }
    for continuation in due { continuation.resume() }
    return result
  }

  /// Returns once the condition holds.
  ///
  /// - Throws: `CancellationError` if the waiting task is cancelled.
  func wait(until isMet: @escaping @Sendable (Value) -> Bool) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { watch(id, Watcher(isMet: isMet, continuation: $0)) }
    } onCancel: {
      cancel(id)
    }
  }

  private func watch(_ id: Int, _ watcher: Watcher) {
    let result: Result<Void, any Error>? = state.withLock { state in
      if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
      if watcher.isMet(state.value) { return .success(()) }
      state.watchers[id] = watcher
      return nil
    }
    if let result { watcher.continuation.resume(with: result) }
  }

  private func cancel(_ id: Int) {
    let watcher: Watcher? = state.withLock { state in
      let watcher = state.watchers.removeValue(forKey: id)
      if watcher == nil { state.cancelled.insert(id) }
      return watcher
    }
    watcher?.continuation.resume(throwing: CancellationError())
  }
}

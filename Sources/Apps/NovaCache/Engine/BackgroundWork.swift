import NovaCore

/// Work without waiters: one at a time for each key, a limited number at a time, and ended by `shutdown`.
final class BackgroundWork: Sendable {
  private struct State {
    var tasks: [CacheKey: Task<Void, Never>] = [:]
    var isClosed = false
  }

  private static let limit = 8
  private let state = Locked(State())

  /// Starts the work, unless the key's work is running or the limit is reached. The next request will try again.
  func start(_ key: CacheKey, _ work: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      guard !state.isClosed, state.tasks[key] == nil, state.tasks.count < Self.limit else { return }
      state.tasks[key] = Task {
        await work()
        self.state.withLock { $0.tasks[key] = nil }
      }
    }
  }

  /// Returns once the running work has ended.
  func finish() async { for task in state.withLock({ Array($0.tasks.values) }) { await task.value } }

  /// Cancels all work, waits for it to end, and prevents new work.
  func shutdown() async {
    let tasks = state.withLock { state in
      state.isClosed = true
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}

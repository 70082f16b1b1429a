import NovaCore

/// Work that nobody waits for: at most once at a time for a key, a limited number at a time, and ended by `shutdown`.
final class BackgroundWork: Sendable {
  private struct State {
    var tasks: [CacheKey: Task<Void, Never>] = [:]
    var isClosed = false
  }

  private static let limit = 8
  private let state = Locked(State())

  /// Starts work, unless that of the key is under way or there is too much. The next request will ask again.
  func start(_ key: CacheKey, _ work: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      guard !state.isClosed, state.tasks[key] == nil, state.tasks.count < Self.limit else { return }
      state.tasks[key] = Task {
        await work()
        self.state.withLock { $0.tasks[key] = nil }
      }
    }
  }

  /// Returns once the work that is under way has ended.
  func finish() async { for task in state.withLock({ Array($0.tasks.values) }) { await task.value } }

  /// Cancels all work, waits for it, and lets no more begin.
  func shutdown() async {
    let tasks = state.withLock { state in
      state.isClosed = true
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}

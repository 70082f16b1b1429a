import NovaCore

/// Masks and writes interactions in their order, apart from the threads that pass them on.
final class RecordingQueue: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isRunning = false
  }

  private let state = Locked(State())

  /// Adds a job. It runs after all that were added before.
  func add(_ job: @escaping @Sendable () -> Void) {
    let starts = state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if starts { Task.detached { await self.run() } }
  }

  /// Returns when everything that was added before is done.
  func flush() async {
    await withCheckedContinuation { continuation in add { continuation.resume() } }
  }

  private func run() async {
    while true {
      let jobs = state.withLock { state in
        defer { state.jobs = [] }
        if state.jobs.isEmpty { state.isRunning = false }
        return state.jobs
      }
      if jobs.isEmpty { return }
      for job in jobs {
        job()
        // Masking a large body takes long, and other tasks need the thread.
        await Task.yield()
      }
    }
  }
}

import NovaCore

/// An executor that keeps jobs until the test releases them.
@available(macOS 15, *)
final class HeldExecutor: TaskExecutor {
  private struct State {
    var held: [UnownedJob] = []
    var isOpen = false
  }

  private let state = Locked(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isOpen = state.withLock { state in
      if !state.isOpen { state.held.append(job) }
      return state.isOpen
    }
    if isOpen { run(job) }
  }

  /// Waits for the first jobs, and runs them.
  func release(count: Int) async {
    for _ in 0..<count {
      var job: UnownedJob?
      while job == nil {
        job = state.withLock { $0.held.isEmpty ? nil : $0.held.removeFirst() }
        if job == nil { await Task.yield() }
      }
      if let job { run(job) }
    }
  }

  /// Runs the kept jobs now, and later jobs at once.
  func release() async {
    let jobs = state.withLock { state in
      state.isOpen = true
      defer { state.held = [] }
      return state.held
    }
    for job in jobs { run(job) }
  }

  private func run(_ job: UnownedJob) {
    let executor = asUnownedTaskExecutor()
    // Not on the test's actor, because a job may hop to that actor.
    Task.detached { job.runSynchronously(on: executor) }
  }
}

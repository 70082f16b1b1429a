/// Work that is done once for many tasks: tasks that come while it runs wait for its result.
///
/// A waiter that is cancelled stops waiting at once, and the work continues. Results are not kept: the next task after
/// the end starts the work again.
package final class SingleFlight<Value: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Value, any Error>

  private struct State {
    var isRunning = false
    var nextID = 0
    var waiters: [Int: Waiter] = [:]
    /// Waiters that were cancelled before they began to wait.
    var cancelled: [Int] = []
    var resting: [CheckedContinuation<Void, Never>] = []

    /// Whether the caller is to do the work.
    mutating func take() -> Bool {
      defer { isRunning = true }
      return !isRunning
    }
  }

  private let state = Locked(State())
  private let inheritsTaskLocals: Bool

  /// Creates one with no work.
  ///
  /// - Parameter inheritsTaskLocals: whether the work has the task-local values of the first task that joins, such as its
  ///   trace and its logger: for work that is a part of that task's call. Without them, the work belongs to no task, as the
  ///   refresh of a session does. Default: false.
  package init(inheritsTaskLocals: Bool = false) { self.inheritsTaskLocals = inheritsTaskLocals }

  /// Whether the work is under way.
  package var isRunning: Bool { state.withLock { $0.isRunning } }

  /// How many wait now.
  package var waiterCount: Int { state.withLock { $0.waiters.count } }

  /// Starts `work` unless some is under way, and waits for its result.
  ///
  /// - Throws: what the work throws, and `CancellationError` when the waiting task is cancelled.
  package func join(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    defer { state.withLock { state in _ = state.cancelled.take(id) } }
    return try await withTaskCancellationHandler {
      try Task.checkCancellation()
      return try await withCheckedThrowingContinuation { waiter in
        let (isCancelled, isFirst) = state.withLock { state in
          if state.cancelled.take(id) { return (true, false) }
          state.waiters[id] = waiter
          return (false, state.take())
        }
        if isCancelled { waiter.resume(throwing: CancellationError()) }
        if isFirst { run(work) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        if let waiter = state.waiters.removeValue(forKey: id) { return waiter }
        state.cancelled.append(id)
        return nil
      }
      waiter?.resume(throwing: CancellationError())
    }
  }

  /// Starts `work` unless some is under way, and waits for nothing.
  package func start(_ work: @escaping @Sendable () async throws -> Value) {
    if state.withLock({ $0.take() }) { run(work) }
  }

  /// Returns once no work is under way.
  package func rest() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.isRunning { state.resting.append(continuation) }
        return !state.isRunning
      }
      if isIdle { continuation.resume() }
    }
  }

  private func run(_ work: @escaping @Sendable () async throws -> Value) {
    // In a task of its own, so that no caller's cancellation ends it.
    let run: @Sendable () async -> Void = {
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      self.finish(result)
    }
    // Tasks that are more urgent may join later.
    let priority = max(Task.currentPriority, .medium)
    if inheritsTaskLocals { Task(priority: priority, operation: run) } else { Task.detached(operation: run) }
  }

  private func finish(_ result: Result<Value, any Error>) {
    let (waiters, resting) = state.withLock { state in
      defer {
        state.isRunning = false
        state.waiters = [:]
        state.resting = []
      }
      return (Array(state.waiters.values), state.resting)
    }
    for waiter in waiters { waiter.resume(with: result) }
    for continuation in resting { continuation.resume() }
  }
}

extension [Int] {
  /// Removes a number, and returns whether it was there; the others may change places.
  @inline(never)
  package mutating func take(_ number: Int) -> Bool {
    for index in indices where self[index] == number {
      swapAt(index, count - 1)
      removeLast()
      return true
    }
    return false
  }
}

import NovaCore

/// Work that is done once for all tasks that ask for its result while it runs.
///
/// A waiter that is cancelled stops waiting at once; the work continues for the others, and is cancelled with the last one.
final class Flights<Value: Sendable>: Sendable {
  typealias Outcome = (result: Result<Value, any Error>, isLeader: Bool)
  private typealias Waiter = CheckedContinuation<Outcome, any Error>

  private struct Flight {
    let id: Int
    var task: Task<Void, Never>?
    var waiters: [Int: Waiter] = [:]
    /// The highest that was asked for, also before there was a task.
    var priority: TaskPriority?
  }

  private struct State {
    var nextID = 0
    var flights: [CacheKey: Flight] = [:]
    /// Waiters that were cancelled before they began to wait.
    var cancelled: Set<Int> = []
  }

  private let state = Locked(State())

  /// How many tasks wait for the work of a key.
  func waiterCount(_ key: CacheKey) -> Int { state.withLock { $0.flights[key]?.waiters.count ?? 0 } }

  /// Starts `work` unless that of the key is under way, and waits for its result. The work gets the highest priority of
  /// the tasks that wait for it.
  ///
  /// - Returns: the result, or what the work threw, and whether this call started the work.
  /// - Throws: `CancellationError` when the waiting task is cancelled.
  func join(
    _ key: CacheKey, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Outcome {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    defer { state.withLock { state in _ = state.cancelled.remove(id) } }
    return try await PriorityEscalation.forwarding(to: { self.raise(key, to: $0) }) {
      try await withTaskCancellationHandler {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { waiter in
          switch add(waiter, id: id, key: key) {
          case .cancelled: waiter.resume(throwing: CancellationError())
          case .first: start(key, id: id, work: work)
          case .later: raise(key, to: Task.currentPriority)
          }
        }
      } onCancel: {
        cancel(key, id)
      }
    }
  }

  private enum Entry { case cancelled, first, later }

  private func add(_ waiter: Waiter, id: Int, key: CacheKey) -> Entry {
    state.withLock { state in
      if state.cancelled.remove(id) != nil { return .cancelled }
      let isFirst = state.flights[key] == nil
      state.flights[key, default: Flight(id: id)].waiters[id] = waiter
      return isFirst ? .first : .later
    }
  }

  private func start(_ key: CacheKey, id: Int, work: @escaping @Sendable () async throws -> Value) {
    // Not detached: the spans of the work belong to the call that started it.
    let task = Task {
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      finish(key, id: id, result: result)
    }
    let (isWanted, priority) = state.withLock { state -> (Bool, TaskPriority?) in
      guard state.flights[key]?.id == id else { return (false, nil) }
      state.flights[key]?.task = task
      return (true, state.flights[key]?.priority)
    }
    if !isWanted { task.cancel() }
    if let priority { task.raisePriority(to: priority) }
  }

  private func raise(_ key: CacheKey, to priority: TaskPriority) {
    let task = state.withLock { state -> Task<Void, Never>? in
      guard let flight = state.flights[key] else { return nil }
      state.flights[key]?.priority = max(flight.priority ?? priority, priority)
      return flight.task
    }
    task?.raisePriority(to: priority)
  }

  private func finish(_ key: CacheKey, id: Int, result: Result<Value, any Error>) {
    let waiters = state.withLock { state -> [Int: Waiter] in
      guard state.flights[key]?.id == id else { return [:] }
      return state.flights.removeValue(forKey: key)?.waiters ?? [:]
    }
    for (waiterID, waiter) in waiters { waiter.resume(returning: (result, waiterID == id)) }
  }

  private func cancel(_ key: CacheKey, _ id: Int) {
    let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
      guard let waiter = state.flights[key]?.waiters.removeValue(forKey: id) else {
        state.cancelled.insert(id)
        return (nil, nil)
      }
      guard state.flights[key]?.waiters.isEmpty == true else { return (waiter, nil) }
      return (waiter, state.flights.removeValue(forKey: key)?.task)
    }
    waiter?.resume(throwing: CancellationError())
    task?.cancel()
  }
}

/// Work that is done once, by key, for all tasks that ask for its result while it runs.
///
/// A waiter that is cancelled stops waiting at once. Results are not kept: the next task after the end starts the work
/// again. The work gets the highest priority of the tasks that wait for it.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// A result, or what the work threw, and whether this task started the work.
  package typealias Outcome = (result: Result<Value, any Error>, isFirst: Bool)
  private typealias Waiter = CheckedContinuation<Outcome, any Error>

  /// Whose work it is.
  package enum Owner: Sendable {
    /// Nobody's: it has no task-local values, and continues when nobody waits for it. For example the refresh of a session.
    case nobody
    /// It is a part of the call of the first task, with that task's trace and logger. It continues when nobody waits for it.
    case firstTask
    /// It is a part of the call of the first task, and is cancelled when the last waiter is.
    case waiters
  }

  private struct Flight {
    let id: Int
    var task: Task<Void, Never>?
    var waiters: [Int: Waiter] = [:]
    /// The highest that was asked for, also before there was a task.
    var priority: TaskPriority?
    /// Those that wait for the end, and not for the result.
    var resting: [CheckedContinuation<Void, Never>] = []
  }

  private struct State {
    var nextID = 0
    var flights: [Key: Flight] = [:]
    /// Waiters that were cancelled before they began to wait.
    var cancelled: Set<Int> = []

    mutating func makeID() -> Int {
      nextID += 1
      return nextID
    }
  }

  private let state = Locked(State())
  private let owner: Owner

  /// Creates one with no work.
  package init(owner: Owner = .nobody) { self.owner = owner }

  /// How many tasks wait for the work of a key.
  package func waiterCount(_ key: Key) -> Int { state.withLock { $0.flights[key]?.waiters.count ?? 0 } }

  /// Whether the work of a key is under way.
  package func isRunning(_ key: Key) -> Bool { state.withLock { $0.flights[key] != nil } }

  /// Starts `work` unless that of the key is under way, and waits for its result.
  ///
  /// - Throws: what the work throws, and `CancellationError` when the waiting task is cancelled.
  package func join(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await outcome(key, work).result.get()
  }

  /// The same, with whether this task started the work.
  ///
  /// - Throws: `CancellationError` when the waiting task is cancelled.
  package func outcome(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Outcome {
    let id = state.withLock { $0.makeID() }
    defer { state.withLock { state in _ = state.cancelled.remove(id) } }
    return try await PriorityEscalation.forwarding(to: { self.raise(key, to: $0) }) {
      try await withTaskCancellationHandler {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { waiter in
          switch add(waiter, id: id, to: key) {
          case .cancelled: waiter.resume(throwing: CancellationError())
          case .first: run(work, id: id, for: key)
          case .later: raise(key, to: Task.currentPriority)
          }
        }
      } onCancel: {
        cancel(id, of: key)
      }
    }
  }

  /// Starts `work` unless that of the key is under way, and waits for nothing.
  package func start(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) {
    let id = state.withLock { state -> Int? in
      guard state.flights[key] == nil else { return nil }
      let id = state.makeID()
      state.flights[key] = Flight(id: id)
      return id
    }
    if let id { run(work, id: id, for: key) }
  }

  /// Returns when no work of the key is under way.
  package func rest(_ key: Key) async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        state.flights[key]?.resting.append(continuation)
        return state.flights[key] == nil
      }
      if isIdle { continuation.resume() }
    }
  }

  private enum Entry { case cancelled, first, later }

  private func add(_ waiter: Waiter, id: Int, to key: Key) -> Entry {
    state.withLock { state in
      if state.cancelled.remove(id) != nil { return .cancelled }
      let isFirst = state.flights[key] == nil
      state.flights[key, default: Flight(id: id)].waiters[id] = waiter
      return isFirst ? .first : .later
    }
  }

  private func run(_ work: @escaping @Sendable () async throws -> Value, id: Int, for key: Key) {
    let run: @Sendable () async -> Void = {
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      self.finish(key, id: id, with: result)
    }
    let task = owner == .nobody ? Task.detached(operation: run) : Task(operation: run)
    let (isWanted, priority) = state.withLock { state -> (Bool, TaskPriority?) in
      guard state.flights[key]?.id == id else { return (false, nil) }
      state.flights[key]?.task = task
      return (true, state.flights[key]?.priority)
    }
    // It has ended by now, or all waiters have left.
    if !isWanted { task.cancel() }
    if let priority { task.raisePriority(to: priority) }
  }

  private func raise(_ key: Key, to priority: TaskPriority) {
    let task = state.withLock { state -> Task<Void, Never>? in
      guard let flight = state.flights[key] else { return nil }
      state.flights[key]?.priority = max(flight.priority ?? priority, priority)
      return flight.task
    }
    task?.raisePriority(to: priority)
  }

  private func finish(_ key: Key, id: Int, with result: Result<Value, any Error>) {
    let flight = state.withLock { state in
      state.flights[key]?.id == id ? state.flights.removeValue(forKey: key) : nil
    }
    guard let flight else { return }
    for (waiterID, waiter) in flight.waiters { waiter.resume(returning: (result, waiterID == id)) }
    for continuation in flight.resting { continuation.resume() }
  }

  private func cancel(_ id: Int, of key: Key) {
    let (waiter, abandoned) = state.withLock { state -> (Waiter?, Flight?) in
      guard let waiter = state.flights[key]?.waiters.removeValue(forKey: id) else {
        state.cancelled.insert(id)
        return (nil, nil)
      }
      let isAbandoned = owner == .waiters && state.flights[key]?.waiters.isEmpty == true
      return (waiter, isAbandoned ? state.flights.removeValue(forKey: key) : nil)
    }
    waiter?.resume(throwing: CancellationError())
    abandoned?.task?.cancel()
    for continuation in abandoned?.resting ?? [] { continuation.resume() }
  }
}

/// The key of work that is one for all tasks.
package struct NoKey: Hashable, Sendable {
  package init() {}
}

extension SingleFlight where Key == NoKey {
  /// Whether the work is under way.
  package var isRunning: Bool { isRunning(NoKey()) }

  /// How many tasks wait now.
  package var waiterCount: Int { waiterCount(NoKey()) }

  /// Starts `work` unless some is under way, and waits for its result.
  ///
  /// - Throws: what the work throws, and `CancellationError` when the waiting task is cancelled.
  package func join(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await join(NoKey(), work)
  }

  /// Starts `work` unless some is under way, and waits for nothing.
  package func start(_ work: @escaping @Sendable () async throws -> Value) { start(NoKey(), work) }

  /// Returns when no work is under way.
  package func rest() async { await rest(NoKey()) }
}

/// Runs work once per key, for all tasks that request its result while it runs.
///
/// A cancelled waiter stops waiting at once. Results are not kept: a task that comes after the end starts the work
/// again. The work runs with the highest priority of its waiters.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The work's result or error, and whether this task started the work.
  package typealias Outcome = (result: Result<Value, any Error>, isFirst: Bool)
  private typealias Waiter = FirstResult<Outcome>

  /// Who owns the work.
  package enum Owner: Sendable {
    /// No task: it has no task-local values, and continues without waiters. An example is the refresh of a session.
    case noTask
    /// The first task: the work belongs to its call, with its trace and logger, and continues without waiters.
    case firstTask
    /// The waiters: the work belongs to the first task's call, and is cancelled with the last waiter.
    case waiters
  }

  private struct Flight {
    let id: Int
    var task: Task<Void, Never>?
    /// The waiter that started the work.
    var first: Waiter?
    var waiters: [Waiter] = []
    /// The highest priority that was requested, even before there was a task.
    var priority: TaskPriority?
    /// Tasks that wait for the end, not for the result.
    var resting: [CheckedContinuation<Void, Never>] = []
  }

  private struct State {
    var nextID = 0
    var flights: [Key: Flight] = [:]

    /// Begins a flight, and returns its id; nil if the key has one.
    mutating func begin(_ key: Key, first: Waiter? = nil) -> Int? {
      guard flights[key] == nil else { return nil }
      nextID += 1
      flights[key] = Flight(id: nextID, first: first)
      return nextID
    }
  }

  private let state = Locked(State())
  private let owner: Owner

  /// Creates an instance without work.
  package init(owner: Owner = .noTask) { self.owner = owner }

  /// The number of tasks that wait for a key's work.
  package func waiterCount(_ key: Key) -> Int { state.withLock { $0.flights[key]?.waiters.count ?? 0 } }

  /// Whether a key's work is running.
  package func isRunning(_ key: Key) -> Bool { state.withLock { $0.flights[key] != nil } }

  /// Starts `work` unless the key's work is already running, and waits for its result.
  ///
  /// - Throws: what the work throws, and `CancellationError` when the waiting task is cancelled.
  package func join(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await outcome(key, work).result.get()
  }

  /// Starts or joins the work like ``join(_:_:)``, and also returns whether this task started it.
  ///
  /// - Throws: `CancellationError` when the waiting task is cancelled.
  package func outcome(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Outcome {
    let waiter = Waiter()
    return try await PriorityEscalation.forwarding(to: { self.raise(key, to: $0) }) {
      try Task.checkCancellation()
      let id = state.withLock { state in
        let id = state.begin(key, first: waiter)
        state.flights[key]?.waiters.append(waiter)
        return id
      }
      if let id { run(work, id: id, for: key) } else { raise(key, to: Task.currentPriority) }
      do {
        return try await waiter.value()
      } catch {
        leave(key, waiter)
        throw error
      }
    }
  }

  /// Starts `work` unless the key's work is already running, without waiting for it.
  package func start(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) {
    if let id = state.withLock({ $0.begin(key) }) { run(work, id: id, for: key) }
  }

  /// Returns when no work is running for the key.
  package func rest(_ key: Key) async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        state.flights[key]?.resting.append(continuation)
        return state.flights[key] == nil
      }
      if isIdle { continuation.resume() }
    }
  }

  private func run(_ work: @escaping @Sendable () async throws -> Value, id: Int, for key: Key) {
    let run: @Sendable () async -> Void = {
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      self.finish(key, id: id, with: result)
    }
    let task = owner == .noTask ? Task.detached(operation: run) : Task(operation: run)
    let (isWanted, priority) = state.withLock { state -> (Bool, TaskPriority?) in
      guard state.flights[key]?.id == id else { return (false, nil) }
      state.flights[key]?.task = task
      return (true, state.flights[key]?.priority)
    }
    // Does nothing if the work has ended.
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
    for waiter in flight.waiters { waiter.finish(.success((result, waiter === flight.first))) }
    for continuation in flight.resting { continuation.resume() }
  }

  /// A cancelled task no longer waits.
  private func leave(_ key: Key, _ waiter: Waiter) {
    let abandoned = state.withLock { state -> Flight? in
      guard let place = state.flights[key]?.waiters.firstIndex(where: { $0 === waiter }) else { return nil }
      state.flights[key]?.waiters.remove(at: place)
      let isAbandoned = owner == .waiters && state.flights[key]?.waiters.isEmpty == true
      return isAbandoned ? state.flights.removeValue(forKey: key) : nil
    }
    abandoned?.task?.cancel()
    for continuation in abandoned?.resting ?? [] { continuation.resume() }
  }
}

/// The key of work that is the same for all tasks.
package struct NoKey: Hashable, Sendable {
  package init() {}
}

extension SingleFlight where Key == NoKey {
  /// Whether the work is running.
  package var isRunning: Bool { isRunning(NoKey()) }

  /// The number of waiting tasks.
  package var waiterCount: Int { waiterCount(NoKey()) }

  /// Starts `work` unless it is already running, and waits for its result.
  ///
  /// - Throws: what the work throws, and `CancellationError` when the waiting task is cancelled.
  package func join(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await join(NoKey(), work)
  }

  /// Starts `work` unless it is already running, without waiting for it.
  package func start(_ work: @escaping @Sendable () async throws -> Value) { start(NoKey(), work) }

  /// Returns when no work is running.
  package func rest() async { await rest(NoKey()) }
}

import NovaCore

/// Runs loads in the background: the most urgent first, a limited number at a time, and fewer while a caller awaits a
/// load.
final class PrefetchQueue<Load: Hashable & Sendable>: Sendable {
  /// A load, and the prefetches that requested it.
  private struct Item {
    var priority: MediaCache.Priority
    /// The order of items with the same priority.
    let number: Int
    /// The prefetches that still want it.
    var owners: Set<Int>
    /// Whether its turn has come.
    var isStarted = false
    /// Whether its load was cancelled; it may still be running.
    var isCancelled = false
    var task: Task<Void, Never>?
  }

  private struct State {
    var nextNumber = 0
    var items: [Load: Item] = [:]
    var running = 0
    var visible = 0
    var isClosed = false

    mutating func number() -> Int {
      nextNumber += 1
      return nextNumber
    }

    /// Raises a load's priority, and returns its task if the task's priority is lower.
    mutating func raise(_ load: Load, to priority: MediaCache.Priority) -> Task<Void, Never>? {
      guard let item = items[load], item.priority < priority else { return nil }
      items[load]?.priority = priority
      return item.task
    }

    func isOver(_ owner: Int) -> Bool { !items.values.contains { $0.owners.contains(owner) } }
  }

  /// The number of loads at a time.
  static var limit: Int { 4 }
  /// The number of simultaneous prefetches while a caller awaits a load.
  static var limitWhileVisible: Int { 1 }

  private let state = Locked(State())
  /// Changes after loads have ended or were cancelled.
  private let endings = LatestValue(0)
  private let run: @Sendable (Load) async -> Void

  init(_ run: @escaping @Sendable (Load) async -> Void) { self.run = run }

  /// The numbers of running and waiting loads.
  var counts: (running: Int, waiting: Int) { state.withLock { ($0.running, $0.items.count - $0.running) } }

  /// Adds loads. A load that was already requested gets the higher of both priorities, even if it is running.
  ///
  /// - Returns: the number with which the loads can be cancelled.
  func add(_ loads: [Load], _ priority: MediaCache.Priority) -> Int {
    let (owner, raised) = state.withLock { state in
      let owner = state.number()
      var raised: [Task<Void, Never>] = []
      guard !state.isClosed else { return (owner, raised) }
      for load in loads {
        let number = state.number()
        state.items[load, default: Item(priority: priority, number: number, owners: [])].owners.insert(owner)
        if let task = state.raise(load, to: priority) { raised.append(task) }
      }
      return (owner, raised)
    }
    for task in raised { task.raisePriority(to: priority.task) }
    startNext()
    return owner
  }

  /// Cancels the loads that no other prefetch wants.
  func cancel(_ owner: Int) {
    let tasks = state.withLock { state in
      var tasks: [Task<Void, Never>] = []
      for load in state.items.keys where state.items[load]?.owners.remove(owner) != nil {
        guard let item = state.items[load], item.owners.isEmpty else { continue }
        guard item.isStarted else {
          state.items[load] = nil
          continue
        }
        state.items[load]?.isCancelled = true
        item.task.map { tasks.append($0) }
      }
      return tasks
    }
    for task in tasks { task.cancel() }
    endings.update { $0 += 1 }
  }

  /// Returns when all loads of a prefetch have ended.
  func finish(_ owner: Int) async {
    // In a task of its own, because a cancelled caller waits as well.
    await Task { for await _ in endings.stream() where state.withLock({ $0.isOver(owner) }) { return } }.value
  }

  // MARK: Turns

  /// Runs a load that a caller awaits, while fewer prefetches run. If a prefetch of the same load is running, the
  /// caller shares its request, and it becomes urgent.
  func visible<Result>(_ load: Load, _ body: () async throws -> Result) async rethrows -> Result {
    let running = state.withLock { state in
      state.visible += 1
      return state.items[load]?.isStarted == true ? state.raise(load, to: .high) : nil
    }
    running?.raisePriority(to: MediaCache.Priority.high.task)
    defer {
      state.withLock { $0.visible -= 1 }
      startNext()
    }
    return try await body()
  }

  private func startNext() {
    while let (load, priority) = takeNext() {
      let task = Task(priority: priority.task) {
        await run(load)
        finished(load)
      }
      let (current, isCancelled) = state.withLock { state in
        // The load may already have ended.
        if state.items[load] != nil { state.items[load]?.task = task }
        let item = state.items[load]
        return (item?.priority ?? priority, state.isClosed || item?.isCancelled == true)
      }
      if isCancelled { task.cancel() }
      if current > priority { task.raisePriority(to: current.task) }
    }
  }

  /// The most urgent load, if there is room for it.
  private func takeNext() -> (load: Load, priority: MediaCache.Priority)? {
    state.withLock { state in
      guard !state.isClosed, state.running < (state.visible > 0 ? Self.limitWhileVisible : Self.limit) else {
        return nil
      }
      let waiting = state.items.lazy.filter { !$0.value.isStarted }
      let next = waiting.min { ($1.value.priority, $0.value.number) < ($0.value.priority, $1.value.number) }
      guard let next else { return nil }
      state.items[next.key]?.isStarted = true
      state.running += 1
      return (next.key, next.value.priority)
    }
  }

  private func finished(_ load: Load) {
    state.withLock { state in
      if let item = state.items[load], item.isCancelled, !item.owners.isEmpty, !state.isClosed {
        // It was requested again after its cancellation.
        state.items[load] = Item(priority: item.priority, number: item.number, owners: item.owners)
      } else {
        state.items[load] = nil
      }
      state.running -= 1
    }
    endings.update { $0 += 1 }
    startNext()
  }

  /// Cancels all loads, and waits for the running ones.
  func shutdown() async {
    let tasks = state.withLock { state in
      state.isClosed = true
      for load in state.items.keys where state.items[load]?.isStarted == false { state.items[load] = nil }
      return state.items.values.compactMap(\.task)
    }
    endings.update { $0 += 1 }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}

extension MediaCache.Priority {
  /// The priority of the loading task.
  fileprivate var task: TaskPriority {
    switch self {
    case .low: .low
    case .medium: .medium
    case .high: .high
    }
  }
}

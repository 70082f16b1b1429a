public import NovaCore

/// A clock whose time changes only when a test advances it, so that testing a wait of a day takes no time.
///
/// ```swift
/// let clock = ManualClock()
/// let client = APIClient(configuration: configuration, transport: transport) { $0.clock = clock }
/// async let answer = client.call(GraphRPC.getFollowers, request)  // waits 2 s before its second attempt
/// await clock.waitForSleepers(1)
/// clock.advance(by: .seconds(2))
/// ```
public final class ManualClock: CallClock, Sendable {
  public typealias Instant = ContinuousClock.Instant

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now: Instant
    /// Sleepers by id, so that cancelling one needs no search.
    var sleepers: [Int: Sleeper] = [:]
    /// The sleeps that were cancelled before they began.
    var cancelled: Set<Int> = []
    var nextID = 0
    var autoAdvances: Bool
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let start: Instant
  private let startUnixTime: Double
  private let state: Locked<State>

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - unixTime: the initial time in seconds since 1970. Default: 2025-12-01T10:00:00Z.
  ///   - autoAdvances: whether a sleep advances the clock and ends immediately. Default: false; a sleep ends when
  ///     ``advance(by:)`` reaches its deadline.
  public init(unixTime: Double = 1_764_583_200, autoAdvances: Bool = false) {
    let now = ContinuousClock.now
    start = now
    startUnixTime = unixTime
    state = Locked(State(now: now, autoAdvances: autoAdvances))
  }

  /// The time that has passed on this clock since its creation.
  public var elapsed: Duration { start.duration(to: now) }
  public var now: Instant { state.withLock { $0.now } }
  public var unixTime: Double { startUnixTime + elapsed / .seconds(1) }
  public var minimumResolution: Duration { .nanoseconds(1) }
  /// The number of sleeping tasks.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Advances the clock, and resumes the sleeps that are due, earliest first.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let now = state.now
      // Sleeps with equal deadlines resume in the order in which they began.
      let due = state.sleepers.filter { $1.deadline <= now }.sorted {
        ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key)
      }
      for (id, _) in due { state.sleepers[id] = nil }
      return due
    }
    for (_, sleeper) in due { sleeper.continuation.resume() }
  }

  /// Advances the clock to the end of the earliest sleep. Without sleeping tasks, it has no effect.
  public func advanceToNextSleeper() {
    let wait = state.withLock { state in
      state.sleepers.values.map(\.deadline).min().map { max(.zero, state.now.duration(to: $0)) }
    }
    if let wait { advance(by: wait) }
  }

  /// Waits until at least `count` tasks are sleeping.
  public func waitForSleepers(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { add(id, Sleeper(deadline: deadline, continuation: $0)) }
    } onCancel: {
      cancel(id)
    }
  }

  private enum Entry { case sleeping([CheckedContinuation<Void, Never>]), due, cancelled }

  private func add(_ id: Int, _ sleeper: Sleeper) {
    let entry: Entry = state.withLock { state in
      if state.cancelled.remove(id) != nil { return .cancelled }
      if state.autoAdvances { state.now = max(state.now, sleeper.deadline) }
      if sleeper.deadline <= state.now { return .due }
      state.sleepers[id] = sleeper
      let count = state.sleepers.count
      defer { state.watchers.removeAll { $0.count <= count } }
      return .sleeping(state.watchers.filter { $0.count <= count }.map(\.continuation))
    }
    switch entry {
    case .sleeping(let watchers): for watcher in watchers { watcher.resume() }
    case .due: sleeper.continuation.resume()
    case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
    }
  }

  private func cancel(_ id: Int) {
    let sleeper = state.withLock { state -> Sleeper? in
      if let sleeper = state.sleepers.removeValue(forKey: id) { return sleeper }
      state.cancelled.insert(id)
      return nil
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}

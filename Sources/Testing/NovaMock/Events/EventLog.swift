import NovaCore

/// The events of a backend, and its subscribers.
///
/// A subscriber is a few positions in the history, not a queue, so a slow one takes no more memory. A waiting subscriber
/// needs no task of its own: one timer for each clock wakes all that need a heartbeat.
///
/// The lock is taken inside the engine's lock, never the other way around. Methods that wake subscribers return their
/// signals, which the caller wakes outside of all locks.
final class EventLog: Sendable {
  private struct State {
    var settings: MockEventSettings
    var history: EventHistory
    var subscribers: [Int: SubscriberState] = [:]
    /// The backend's clock. The timers have clocks of their own.
    var clock: MockClock
    var nextID = 1
    var epochs: UInt64 = 0
    /// A hash of the name of the last named epoch; 0 before one. Later epochs depend on it.
    var salt: UInt64 = 0
    var timers: [ObjectIdentifier: HeartbeatTimer] = [:]
    /// What to do at each tick of a timer.
    var onTick: (@Sendable () -> Void)?

    func endAll(_ reason: MockEventEnd) -> [WakeSignal] {
      for subscriber in subscribers.values where subscriber.end == nil { subscriber.end = reason }
      return subscribers.values.map(\.signal)
    }

    /// Returns the subscribers whose heartbeat is due or whose token is not valid at a time.
    func due(at time: Int64, where isAffected: (SubscriberState) -> Bool) -> [WakeSignal] {
      subscribers.values.filter { subscriber in
        guard isAffected(subscriber) else { return false }
        return subscriber.reader.claims.map { !$0.isCurrent(at: time) } ?? false || subscriber.isDue(settings.heartbeat)
      }.map(\.signal)
    }
  }

  private let seed: UInt64
  private let now: @Sendable () -> Int64
  private let state: Locked<State>

  init(
    _ settings: MockEventSettings, seed: UInt64, clock: MockClock = MockClock(), now: @escaping @Sendable () -> Int64
  ) {
    self.seed = seed
    self.now = now
    let history = EventHistory(epoch: Self.epoch(seed, 0), capacity: settings.history)
    state = Locked(State(settings: settings, history: history, clock: clock))
  }

  deinit {
    for timer in state.withLock({ Array($0.timers.values) }) { timer.task.cancel() }
  }

  private static func epoch(_ seed: UInt64, _ number: UInt64) -> String {
    // The numbers of neighboring seeds must not overlap.
    var seeds = SeededGenerator(seed: seed ^ 0x65_7665_6E74)
    var generator = SeededGenerator(seed: seeds.next() &+ number)
    let bits = generator.next()
    return Hexadecimal.encode((0..<4).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) })
  }

  var settings: MockEventSettings {
    get { state.withLock { $0.settings } }
    set {
      let timers = state.withLock { state in
        let hasOtherInterval = HeartbeatTimer.interval(state.settings) != HeartbeatTimer.interval(newValue)
        state.settings = newValue
        state.history.capacity = newValue.history
        return hasOtherInterval ? restartTimers(&state) : []
      }
      for timer in timers { timer.cancel() }
    }
  }

  var position: String { state.withLock { $0.history.position.description } }

  /// The number of subscribers, other than inspectors.
  var subscriberCount: Int { state.withLock { $0.subscribers.values.count { !$0.reader.isInspector } } }

  /// Whether a subscriber waits for events.
  var hasWaiter: Bool { state.withLock { $0.subscribers.values.contains { $0.signal.isAwaited } } }

  /// Reads the history.
  func withHistory<Result: Sendable>(_ body: (inout EventHistory) throws(MockFailure) -> Result) throws(MockFailure)
    -> Result
  {
    try state.withLock { state throws(MockFailure) in try body(&state.history) }
  }

  // MARK: Publishing

  func append(_ events: [PendingEvent]) -> [WakeSignal] {
    state.withLock { state in
      var keys: Set<MockTopic> = [.all]
      for event in events {
        state.history.append(event)
        keys.formUnion(event.keys)
      }
      let watchers = Set(keys.flatMap { state.history.watchers(of: $0) })
      return watchers.compactMap { state.subscribers[$0]?.signal }
    }
  }

  /// Begins a new epoch without events. All subscribers start over.
  ///
  /// - Parameter name: nil for the next one, which the seed and the last name determine.
  func beginEpoch(_ name: String? = nil) -> [WakeSignal] {
    state.withLock { state in
      state.epochs += 1
      if let name { state.salt = FNV1a.hash(of: name) }
      let epoch = name ?? Self.epoch(seed ^ state.salt, state.epochs)
      state.history = EventHistory(epoch: epoch, capacity: state.settings.history)
      return state.endAll(.restart)
    }
  }

  /// Ends all streams.
  func endAll(_ reason: MockEventEnd) -> [WakeSignal] { state.withLock { $0.endAll(reason) } }

  /// Wakes those whose access token may be invalid now.
  func recheck(_ users: [String]) -> [WakeSignal] {
    state.withLock { state in
      let affected = state.subscribers.values.filter { $0.reader.user.map(users.containsBytes) ?? false }
      return affected.map(\.signal)
    }
  }

  /// Wakes all, because no access token may be valid any more.
  func recheckAll() -> [WakeSignal] { state.withLock { $0.subscribers.values.map(\.signal) } }

  /// Sets the backend's clock. Moving it forward counts as waiting.
  func setClock(_ clock: MockClock) -> [WakeSignal] {
    state.withLock { state in
      let source = now()
      let time = clock.time(at: source)
      let difference = Duration.seconds(max(0, time - state.clock.time(at: source)))
      state.clock = clock
      for subscriber in state.subscribers.values { subscriber.lastSign -= difference }
      return state.due(at: time) { _ in true }
    }
  }

  // MARK: Subscribing

  /// Adds a subscriber without topics, and returns its id.
  func add(_ reader: EventReader, clock: any CallClock) -> Int {
    state.withLock { state in
      let id = state.nextID
      state.nextID += 1
      state.subscribers[id] = SubscriberState(reader: reader, clock: clock)
      startTimer(clock, &state)
      return id
    }
  }

  func remove(_ id: Int) {
    let timer = state.withLock { state -> HeartbeatTimer? in
      guard let subscriber = state.subscribers.removeValue(forKey: id) else { return nil }
      for cursor in subscriber.cursors { state.history.unwatch(cursor.topic.key, by: id) }
      let clock = subscriber.clockID
      state.timers[clock]?.users -= 1
      return state.timers[clock]?.users == 0 ? state.timers.removeValue(forKey: clock) : nil
    }
    timer?.task.cancel()
  }

  /// Adds topics to a subscriber, or replays those that it has.
  ///
  /// - Parameter after: the position to resume after; empty for now.
  /// - Returns: the position after which events follow, whether events before it are missing, and the signal to wake.
  func subscribe(
    _ id: Int, to topics: [MockTopic], after: String
  ) -> (start: (position: String, isReset: Bool), signal: WakeSignal?) {
    state.withLock { state in
      let history = state.history
      let wanted = after.isEmpty ? history.position : EventPosition(after)
      let start = wanted.flatMap { history.isComplete(after: $0) ? $0 : nil }
      let position = start ?? history.position
      for topic in topics {
        state.subscribers[id]?.cursors.removeAll { $0.topic == topic }
        state.subscribers[id]?.cursors.append(.init(topic: topic, offset: position.offset))
        state.history.watch(topic.key, by: id)
      }
      state.subscribers[id]?.revision += 1
      return ((position.description, start == nil), state.subscribers[id]?.signal)
    }
  }

  func unsubscribe(_ id: Int, from topics: [MockTopic]) {
    state.withLock { state in
      state.subscribers[id]?.cursors.removeAll { topics.contains($0.topic) }
      state.subscribers[id]?.revision += 1
      let keys = Set((state.subscribers[id]?.cursors ?? []).map(\.topic.key))
      for topic in topics where !keys.contains(topic.key) { state.history.unwatch(topic.key, by: id) }
    }
  }

  /// Whether a subscriber's topics have not changed since a heartbeat.
  func isCurrent(_ place: EventPlace, of id: Int) -> Bool {
    state.withLock { $0.subscribers[id]?.revision == place.revision }
  }

  /// The number of topics that a subscriber has after it adds some.
  func topicCount(_ id: Int, with topics: [MockTopic]) -> Int {
    state.withLock { state in Set((state.subscribers[id]?.cursors ?? []).map(\.topic) + topics).count }
  }

  // MARK: Reading

  /// Returns what a subscriber has not seen, in order; empty if there is nothing. It takes time in proportion to that,
  /// not to the history.
  func take(_ id: Int, _ engine: MockState) -> [EventItem] {
    state.withLock { state in
      state.subscribers[id]?.take(from: &state.history, state.settings, engine) ?? []
    }
  }

  func isEnded(_ id: Int) -> Bool { state.withLock { $0.subscribers[id]?.hasEnded ?? true } }

  /// Waits until there may be something to take.
  func wait(_ id: Int) async { await state.withLock { $0.subscribers[id]?.signal }?.wait() }

  // MARK: Timers

  private func startTimer(_ clock: any CallClock, _ state: inout State) {
    let id = HeartbeatTimer.id(of: clock)
    if state.timers[id] != nil {
      state.timers[id]?.users += 1
    } else {
      state.timers[id] = HeartbeatTimer(clock: clock, task: ticking(clock, state.settings), users: 1)
    }
  }

  /// Starts the timers again with another interval, and returns the tasks to cancel outside of the lock.
  private func restartTimers(_ state: inout State) -> [Task<Void, Never>] {
    var tasks: [Task<Void, Never>] = []
    for (id, timer) in state.timers {
      tasks.append(timer.task)
      state.timers[id]?.task = ticking(timer.clock, state.settings)
    }
    return tasks
  }

  private func ticking(_ clock: any CallClock, _ settings: MockEventSettings) -> Task<Void, Never> {
    let (id, interval) = (HeartbeatTimer.id(of: clock), HeartbeatTimer.interval(settings))
    return Task { [weak self] in
      while (try? await clock.sleep(until: clock.now.advanced(by: interval), tolerance: nil)) != nil {
        guard let self else { return }
        tick(id)
      }
    }
  }

  private func tick(_ clock: ObjectIdentifier) {
    let (signals, onTick) = state.withLock { state in
      (state.due(at: state.clock.time(at: now())) { $0.clockID == clock }, state.onTick)
    }
    for signal in signals { signal.wake() }
    onTick?()
  }

  /// Sets what happens at each tick, at most a second apart, while anyone reads events.
  func onTick(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onTick = body } }
}

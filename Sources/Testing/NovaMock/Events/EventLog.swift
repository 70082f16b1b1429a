import NovaCore

/// The events of a backend, and those who wait for them.
///
/// A subscriber is a few positions in the history, not a queue: however slow it is, it takes no more memory. Nothing runs
/// for a subscriber that waits, besides one timer for all.
///
/// Its lock is taken inside the engine's, never the other way around.
final class EventLog: Sendable {
  typealias Waiter = CheckedContinuation<Void, Never>

  /// The maximum number of events that a subscriber takes at once, and of their bytes.
  static let batch = (count: 256, bytes: 64 << 10)

  private let seed: UInt64
  private let now: @Sendable () -> Int64
  private let state: Locked<State>

  init(_ settings: MockEventSettings, seed: UInt64, now: @escaping @Sendable () -> Int64) {
    self.seed = seed
    self.now = now
    let history = EventHistory(epoch: Self.epoch(seed, 0), capacity: settings.history)
    state = Locked(State(settings: settings, history: history))
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
  var hasWaiter: Bool { state.withLock { $0.subscribers.values.contains { $0.waiter != nil } } }

  /// Reads the history.
  func withHistory<Result: Sendable>(_ body: (inout EventHistory) throws(MockFailure) -> Result) throws(MockFailure)
    -> Result
  {
    try state.withLock { state throws(MockFailure) in try body(&state.history) }
  }

  // MARK: Publishing

  /// Appends events, and returns the continuations to resume outside of all locks.
  func append(_ events: [PendingEvent]) -> [Waiter] {
    state.withLock { state in
      var waiters: [Waiter] = []
      var keys: Set<EventKey> = [.all]
      for event in events {
        state.history.append(event)
        keys.formUnion(event.keys)
      }
      // Once for all of the events.
      for key in keys { state.signal(state.history.watchers(of: key), &waiters) }
      return waiters
    }
  }

  /// Begins a new epoch without events. All subscribers start over.
  ///
  /// - Parameter name: nil for the next one, which the seed and the last name determine.
  func beginEpoch(_ name: String? = nil) -> [Waiter] {
    state.withLock { state in
      state.epochs += 1
      if let name { state.salt = FNV1a.hash(of: name) }
      let epoch = name ?? Self.epoch(seed ^ state.salt, state.epochs)
      state.history = EventHistory(epoch: epoch, capacity: state.settings.history)
      return state.endAll(.restart)
    }
  }

  /// Ends all streams.
  func endAll(_ reason: MockEventEnd) -> [Waiter] { state.withLock { $0.endAll(reason) } }

  /// Wakes those whose access token may be invalid now.
  func recheck(_ users: [String]) -> [Waiter] {
    state.withLock { state in
      var waiters: [Waiter] = []
      for (id, subscriber) in state.subscribers {
        if let user = subscriber.reader.user, users.containsBytes(of: user) { state.signal([id], &waiters) }
      }
      return waiters
    }
  }

  /// Sets by how much the backend's clock is ahead of all others.
  func setClockOffset(_ offset: Int64) -> [Waiter] {
    state.withLock { state in
      let difference = Duration.seconds(max(0, offset - state.clockOffset))
      state.clockOffset = offset
      for subscriber in state.subscribers.values { subscriber.lastSign -= difference }
      return state.signalDue(at: now() + offset) { _ in true }
    }
  }

  // MARK: Subscribing

  /// Adds a subscriber without topics, and returns its id.
  func add(_ reader: EventReader, clock: any CallClock) -> Int {
    state.withLock { state in
      let id = state.nextID
      state.nextID += 1
      state.subscribers[id] = Subscriber(reader: reader, clock: clock)
      startTimer(clock, &state)
      return id
    }
  }

  func remove(_ id: Int) {
    let (waiter, timer) = state.withLock { state -> (Waiter?, HeartbeatTimer?) in
      guard let subscriber = state.subscribers.removeValue(forKey: id) else { return (nil, nil) }
      for cursor in subscriber.cursors { state.history.unwatch(cursor.topic.key, by: id) }
      let clock = subscriber.clockID
      state.timers[clock]?.users -= 1
      return (subscriber.waiter, state.timers[clock]?.users == 0 ? state.timers.removeValue(forKey: clock) : nil)
    }
    timer?.task.cancel()
    waiter?.resume()
  }

  /// Adds topics to a subscriber, or replays those that it has.
  ///
  /// - Parameter after: the position to resume after; empty for now.
  /// - Returns: the position from which on events follow, whether events before it are missing, and the continuations to
  ///   resume outside of all locks.
  func subscribe(
    _ id: Int, to topics: [MockTopic], after: String
  ) -> (start: (position: String, isReset: Bool), waiters: [Waiter]) {
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
      var waiters: [Waiter] = []
      state.signal([id], &waiters)
      return ((position.description, start == nil), waiters)
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

  /// Whether a subscriber's topics are those that it had then.
  func isCurrent(_ place: EventPlace, of id: Int) -> Bool {
    state.withLock { $0.subscribers[id]?.revision == place.revision }
  }

  /// The number of topics of a subscriber, with more of them.
  func topicCount(_ id: Int, with topics: [MockTopic]) -> Int {
    state.withLock { state in Set((state.subscribers[id]?.cursors ?? []).map(\.topic) + topics).count }
  }

  // MARK: Reading

  /// Returns what a subscriber has not seen, in order; empty if there is nothing. It takes time in proportion to that,
  /// not to the history.
  func take(_ id: Int, _ engine: MockState) -> [EventItem] {
    state.withLock { state in
      guard let subscriber = state.subscribers[id], !subscriber.hasEnded else { return [] }
      subscriber.isSignaled = false
      var items: [EventItem] = []
      if subscriber.end == nil { items = state.next(subscriber, engine) }
      if let end = subscriber.end {
        items.append(.end(end))
        subscriber.hasEnded = true
      } else if items.isEmpty, subscriber.isDue(state.settings.heartbeat) {
        items = [.alive(state.place(of: subscriber))]
      }
      if !items.isEmpty { subscriber.lastSign = subscriber.clock.now }
      return items
    }
  }

  func isEnded(_ id: Int) -> Bool { state.withLock { $0.subscribers[id]?.hasEnded ?? true } }

  /// Waits until there may be something to take.
  func wait(_ id: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let isReady = state.withLock { state in
          guard let subscriber = state.subscribers[id], !subscriber.isSignaled, !Task.isCancelled else { return true }
          state.subscribers[id]?.waiter = waiter
          return false
        }
        if isReady { waiter.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.subscribers[id]?.isSignaled = true
        return state.subscribers[id]?.waiter.take()
      }
      waiter?.resume()
    }
  }

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
    let (waiters, onTick) = state.withLock { state in
      (state.signalDue(at: now() + state.clockOffset) { $0.clockID == clock }, state.onTick)
    }
    for waiter in waiters { waiter.resume() }
    onTick?()
  }

  /// Sets what happens at each tick, at most a second apart, while anyone reads events.
  func onTick(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onTick = body } }
}

import NovaCore

/// What a subscriber receives.
package enum EventItem: Sendable {
  case event(LoggedEvent)
  /// The subscriber is alive, and has everything up to this position.
  case alive(position: String)
  /// The last item.
  case end(MockEventEnd)
}

/// The events of a backend, and those who wait for them.
///
/// A subscriber is a few positions in the history, not a queue: however slow it is, it takes no more memory. Nothing runs
/// for a subscriber that waits, besides one timer for all.
///
/// Its lock is taken inside the engine's, never the other way around.
final class EventLog: Sendable {
  typealias Waiter = CheckedContinuation<Void, Never>

  /// The maximum number of events that a subscriber takes at once, and of their bytes.
  fileprivate static let batch = (count: 256, bytes: 64 << 10)

  struct State {
    var settings: MockEventSettings
    var history: EventHistory
    var subscribers: [Int: Subscriber] = [:]
    /// By how much the backend's clock is ahead of the clocks.
    var clockOffset: Int64 = 0
    fileprivate var nextID = 1
    fileprivate var epochs: UInt64 = 0
    fileprivate var timers: [ObjectIdentifier: HeartbeatTimer] = [:]
  }

  /// Someone who reads events. Used only inside the lock.
  final class Subscriber {
    struct Cursor: Sendable {
      let topic: MockTopic
      /// The last event that was considered.
      var offset: Int
    }

    let reader: EventReader
    let clock: any CallClock
    let clockID: ObjectIdentifier
    var cursors: [Cursor] = []
    var end: MockEventEnd?
    /// Whether the subscriber has received its end.
    var hasEnded = false
    /// Whether there may be something to take.
    var isSignaled = false
    var waiter: Waiter?
    /// When something was taken last.
    var lastSign: ContinuousClock.Instant

    init(reader: EventReader, clock: any CallClock) {
      (self.reader, self.clock, clockID) = (reader, clock, HeartbeatTimer.id(of: clock))
      lastSign = clock.now
    }
  }

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
    for timer in state.withLock({ $0.timers.values.map { $0 } }) { timer.task.cancel() }
  }

  private static func epoch(_ seed: UInt64, _ number: UInt64) -> String {
    var generator = SeededGenerator(seed: seed ^ 0x65_7665_6E74 &+ number)
    let bits = generator.next()
    return Hexadecimal.encode((0..<4).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) })
  }

  var settings: MockEventSettings {
    get { state.withLock { $0.settings } }
    set {
      state.withLock { state in
        state.settings = newValue
        state.history.capacity = newValue.history
      }
    }
  }

  var position: String { state.withLock { $0.history.position.description } }

  /// The number of subscribers, other than inspectors.
  var subscriberCount: Int { state.withLock { $0.subscribers.values.count { !$0.reader.seesAll } } }

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

  /// Begins a new epoch without events. Everyone reads anew.
  ///
  /// - Parameter name: nil for the next one of the seed.
  func beginEpoch(_ name: String? = nil) -> [Waiter] {
    state.withLock { state in
      state.epochs += 1
      let epoch = name ?? Self.epoch(seed, state.epochs)
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
        if let user = subscriber.reader.user, users.contains(user) { state.signal([id], &waiters) }
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
      return state.signalDue(at: now() + offset, slack: .zero) { _ in true }
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
  /// - Parameter after: the position to resume behind; empty for now.
  /// - Returns: the position from which on events follow, and whether events before it are missing.
  func subscribe(_ id: Int, to topics: [MockTopic], after: String) -> (position: String, isReset: Bool) {
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
      state.subscribers[id]?.isSignaled = true
      return (position.description, start == nil)
    }
  }

  func unsubscribe(_ id: Int, from topics: [MockTopic]) {
    state.withLock { state in
      state.subscribers[id]?.cursors.removeAll { topics.contains($0.topic) }
      let keys = Set((state.subscribers[id]?.cursors ?? []).map(\.topic.key))
      for topic in topics where !keys.contains(topic.key) { state.history.unwatch(topic.key, by: id) }
    }
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
      let now = subscriber.clock.now
      var items: [EventItem] = []
      if subscriber.end == nil { items = state.next(subscriber, engine) }
      if let end = subscriber.end {
        items.append(.end(end))
        subscriber.hasEnded = true
      } else if items.isEmpty, let heartbeat = state.settings.heartbeat,
        subscriber.lastSign.duration(to: now) >= heartbeat - HeartbeatTimer.slack(heartbeat)
      {
        items = [.alive(position: state.history.position.description)]
      }
      if !items.isEmpty { subscriber.lastSign = now }
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

  // MARK: Heartbeats

  private func startTimer(_ clock: any CallClock, _ state: inout State) {
    let id = HeartbeatTimer.id(of: clock)
    if state.timers[id] != nil {
      state.timers[id]?.users += 1
      return
    }
    let task = Task { [weak self] in
      while let interval = self?.tickInterval {
        guard (try? await clock.sleep(until: clock.now.advanced(by: interval), tolerance: nil)) != nil else { return }
        self?.tick(id)
      }
    }
    state.timers[id] = HeartbeatTimer(task: task, users: 1)
  }

  private var tickInterval: Duration {
    state.withLock { HeartbeatTimer.slack($0.settings.heartbeat ?? .seconds(15)) }
  }

  private func tick(_ clock: ObjectIdentifier) {
    let waiters = state.withLock { state in
      let slack = HeartbeatTimer.slack(state.settings.heartbeat ?? .zero)
      return state.signalDue(at: now() + state.clockOffset, slack: slack) { $0.clockID == clock }
    }
    for waiter in waiters { waiter.resume() }
  }
}

/// The timer of all subscribers with one clock.
private struct HeartbeatTimer: Sendable {
  let task: Task<Void, Never>
  var users: Int

  /// Clocks of a type without identity are the same clock.
  static func id(of clock: any CallClock) -> ObjectIdentifier {
    type(of: clock) is AnyClass ? ObjectIdentifier(clock as AnyObject) : ObjectIdentifier(type(of: clock))
  }

  /// The time between ticks, by which a heartbeat can be early.
  static func slack(_ heartbeat: Duration) -> Duration { heartbeat / 16 }
}

extension EventLog.State {
  fileprivate mutating func signal(_ ids: some Collection<Int>, _ waiters: inout [EventLog.Waiter]) {
    for id in ids {
      guard let subscriber = subscribers[id] else { continue }
      subscriber.isSignaled = true
      if let waiter = subscriber.waiter.take() { waiters.append(waiter) }
    }
  }

  fileprivate mutating func endAll(_ reason: MockEventEnd) -> [EventLog.Waiter] {
    var waiters: [EventLog.Waiter] = []
    for subscriber in subscribers.values where subscriber.end == nil { subscriber.end = reason }
    signal(subscribers.keys, &waiters)
    return waiters
  }

  /// Wakes those who wait for their heartbeat, or whose token has expired.
  fileprivate mutating func signalDue(
    at time: Int64, slack: Duration, where isAffected: (EventLog.Subscriber) -> Bool
  ) -> [EventLog.Waiter] {
    let due = subscribers.keys.filter { id in
      guard let subscriber = subscribers[id], subscriber.waiter != nil, isAffected(subscriber) else { return false }
      if let claims = subscriber.reader.claims, claims.expiresAt <= time { return true }
      guard let heartbeat = settings.heartbeat else { return false }
      return subscriber.lastSign.duration(to: subscriber.clock.now) >= heartbeat - slack
    }
    var waiters: [EventLog.Waiter] = []
    signal(due, &waiters)
    return waiters
  }

  /// Returns the next events of a subscriber, and moves its cursors behind them.
  fileprivate mutating func next(_ subscriber: EventLog.Subscriber, _ engine: MockState) -> [EventItem] {
    let reader = subscriber.reader
    if let claims = reader.claims, !engine.isValid(claims) {
      subscriber.end = .tokenExpired
      return []
    }
    var items: [EventItem] = []
    var isMore = true
    while items.isEmpty, isMore {
      var found: [(offset: Int, cursor: Int)] = []
      var (waiting, end) = (0, history.last)
      for (index, cursor) in subscriber.cursors.enumerated() {
        let key = cursor.topic.key
        guard history.count(key, after: cursor.offset) > 0 || history.lastDropped(key) > cursor.offset,
          reader.mayRead(cursor.topic, in: engine)
        else { continue }
        if history.lastDropped(key) > cursor.offset {
          subscriber.end = .tooSlow
          return items
        }
        waiting = max(waiting, history.count(key, after: cursor.offset))
        let offsets = history.offsets(key, after: cursor.offset, limit: EventLog.batch.count)
        // The next events of a long list come before later events of the others.
        if offsets.count == EventLog.batch.count, let last = offsets.last { end = min(end, last) }
        found += offsets.map { ($0, index) }
      }
      if waiting > settings.maximumWaiting ?? .max {
        subscriber.end = .tooSlow
        return items
      }
      if subscriber.cursors.count > 1 { found.sort { $0.offset < $1.offset } }
      (items, end) = taken(found, upTo: end, by: subscriber, engine)
      isMore = end < history.last
      for index in subscriber.cursors.indices {
        subscriber.cursors[index].offset = max(subscriber.cursors[index].offset, end)
      }
    }
    return items
  }

  /// Returns those of the events that the reader may see, and the last offset that was considered.
  private mutating func taken(
    _ found: [(offset: Int, cursor: Int)], upTo end: Int, by subscriber: EventLog.Subscriber, _ engine: MockState
  ) -> (items: [EventItem], end: Int) {
    var items: [EventItem] = []
    var (bytes, considered, lastTaken) = (0, 0, 0)
    var known: (audience: EventAudience, isIn: Bool)?
    for (offset, cursor) in found where offset <= end {
      if offset != considered {
        if considered > 0, items.count >= EventLog.batch.count || bytes >= EventLog.batch.bytes {
          return (items, considered)
        }
        considered = offset
      }
      let (stored, topic) = (history.stored(offset), subscriber.cursors[cursor].topic)
      guard offset != lastTaken, topic.includes(stored.pending, in: engine) else { continue }
      if let audience = stored.pending.audience, !topic.isMine {
        // Events of one post follow each other often.
        if known?.audience != audience { known = (audience, subscriber.reader.isIn(audience, engine)) }
        guard known?.isIn == true else { continue }
      }
      lastTaken = offset
      let event = history.logged(offset)
      bytes += event.serverSentEvent.count
      items.append(.event(event))
    }
    return (items, end)
  }
}

import NovaCore

extension EventLog {
  /// The history and the subscribers, inside the lock.
  struct State {
    var settings: MockEventSettings
    var history: EventHistory
    var subscribers: [Int: Subscriber] = [:]
    /// By how much the backend's clock is ahead of the clocks.
    var clockOffset: Int64 = 0
    var nextID = 1
    var epochs: UInt64 = 0
    /// A hash of the name of the last named epoch; 0 before one. Later epochs depend on it.
    var salt: UInt64 = 0
    var timers: [ObjectIdentifier: HeartbeatTimer] = [:]
    /// What to do at each tick of a timer.
    var onTick: (@Sendable () -> Void)?
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
    /// Counts the changes of topics.
    var revision = 0
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

    /// Whether a heartbeat is due.
    func isDue(_ heartbeat: Duration?) -> Bool {
      guard let heartbeat else { return false }
      return lastSign.duration(to: clock.now) >= HeartbeatTimer.threshold(heartbeat)
    }
  }
}

extension EventLog.State {
  mutating func signal(_ ids: some Collection<Int>, _ waiters: inout [EventLog.Waiter]) {
    for id in ids {
      guard let subscriber = subscribers[id] else { continue }
      subscriber.isSignaled = true
      if let waiter = subscriber.waiter.take() { waiters.append(waiter) }
    }
  }

  mutating func endAll(_ reason: MockEventEnd) -> [EventLog.Waiter] {
    var waiters: [EventLog.Waiter] = []
    for subscriber in subscribers.values where subscriber.end == nil { subscriber.end = reason }
    signal(subscribers.keys, &waiters)
    return waiters
  }

  /// Wakes subscribers whose heartbeat is due or whose token has expired, even if they are only about to wait.
  mutating func signalDue(
    at time: Int64, where isAffected: (EventLog.Subscriber) -> Bool
  ) -> [EventLog.Waiter] {
    let due = subscribers.keys.filter { id in
      guard let subscriber = subscribers[id], isAffected(subscriber) else { return false }
      if let claims = subscriber.reader.claims, claims.expiresAt <= time { return true }
      return subscriber.isDue(settings.heartbeat)
    }
    var waiters: [EventLog.Waiter] = []
    signal(due, &waiters)
    return waiters
  }

  // MARK: Reading

  /// Returns the next events of a subscriber, and moves its cursors past them.
  mutating func next(_ subscriber: EventLog.Subscriber, _ engine: MockState) -> [EventItem] {
    let reader = subscriber.reader
    if let claims = reader.claims, !engine.isValid(claims) {
      subscriber.end = .tokenExpired
      return []
    }
    var items: [EventItem] = []
    var isMore = true
    while items.isEmpty, isMore {
      var found: [(offset: Int, cursor: Int)] = []
      var end = history.last
      for (index, cursor) in subscriber.cursors.enumerated() {
        let key = cursor.topic.key
        guard history.count(key, after: cursor.offset) > 0 || history.lastDropped(key) > cursor.offset,
          reader.mayRead(cursor.topic, in: engine)
        else { continue }
        if history.lastDropped(key) > cursor.offset {
          subscriber.end = .tooSlow
          return items
        }
        let offsets = history.offsets(key, after: cursor.offset, limit: EventLog.batch.count)
        // The next events of a long list come before later events of the others.
        if offsets.count == EventLog.batch.count, let last = offsets.last { end = min(end, last) }
        found += offsets.map { ($0, index) }
      }
      if let limit = settings.maximumWaiting, hasMore(than: limit, for: subscriber, engine) {
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
    var known: (subject: EventSubject, isVisible: Bool)?
    for (offset, cursor) in found where offset <= end {
      if offset != considered {
        if considered > 0, items.count >= EventLog.batch.count || bytes >= EventLog.batch.bytes {
          return (items, considered)
        }
        considered = offset
      }
      let (stored, topic) = (history.stored(offset), subscriber.cursors[cursor].topic)
      guard offset != lastTaken, topic.includes(stored.pending, in: engine) else { continue }
      if !subscriber.reader.viewer.seesAll {
        let subject = stored.pending.subject(isMine: topic.isMine)
        if known?.subject != subject { known = (subject, subscriber.reader.sees(subject, in: engine)) }
        guard known?.isVisible == true else { continue }
      }
      lastTaken = offset
      let event = history.logged(offset)
      bytes += event.serverSentEvent.count
      items.append(.event(event))
    }
    return (items, end)
  }

  /// Whether more events wait for a subscriber than a limit: those that it may see, each once, whatever topics have it.
  private func hasMore(than limit: Int, for subscriber: EventLog.Subscriber, _ engine: MockState) -> Bool {
    var waiting: Set<Int> = []
    for cursor in subscriber.cursors where subscriber.reader.mayRead(cursor.topic, in: engine) {
      for offset in history.offsets(cursor.topic.key, after: cursor.offset, limit: .max)
      where subscriber.reader.sees(history.pending(offset), in: cursor.topic, engine) {
        waiting.insert(offset)
        if waiting.count > limit { return true }
      }
    }
    return false
  }

  func place(of subscriber: EventLog.Subscriber) -> EventPlace {
    EventPlace(
      position: history.position.description, cursors: subscriber.cursors, revision: subscriber.revision)
  }
}

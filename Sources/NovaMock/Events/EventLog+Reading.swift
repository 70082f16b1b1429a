import NovaCore

extension EventLog {
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
}

extension EventLog.State {
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

  fileprivate func place(of subscriber: EventLog.Subscriber) -> EventPlace {
    EventPlace(
      position: history.position.description, cursors: subscriber.cursors, revision: subscriber.revision)
  }
}

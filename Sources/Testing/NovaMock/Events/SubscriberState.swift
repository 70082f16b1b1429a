import NovaCore

/// A subscriber's topics, and how far it has read them. It is used only inside the lock of ``EventLog``.
final class SubscriberState {
  struct Cursor: Sendable {
    let topic: MockTopic
    /// The last event that was considered.
    var offset: Int
  }

  /// The maximum number of events that a subscriber takes at once, and of their bytes.
  private static let batch = (count: 256, bytes: 64 << 10)

  let reader: EventReader
  let clock: any CallClock
  let clockID: ObjectIdentifier
  /// Set when there may be something to take.
  let signal = WakeSignal()
  var cursors: [Cursor] = []
  /// The number of times that the topics have changed.
  var revision = 0
  var end: MockEventEnd?
  /// Whether the subscriber has received its end.
  private(set) var hasEnded = false
  /// When something was last taken.
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

  /// Returns the items that the subscriber has not received, in order.
  func take(from history: inout EventHistory, _ settings: MockEventSettings, _ engine: MockState) -> [EventItem] {
    if hasEnded { return [] }
    var items = end == nil ? nextEvents(in: &history, settings.maximumWaiting, engine) : []
    if let end {
      items.append(.end(end))
      hasEnded = true
    } else if items.isEmpty, isDue(settings.heartbeat) {
      items = [.alive(EventPlace(position: history.position.description, cursors: cursors, revision: revision))]
    }
    if !items.isEmpty { lastSign = clock.now }
    return items
  }

  /// Returns the next events, and moves the cursors past them.
  private func nextEvents(in history: inout EventHistory, _ limit: Int?, _ engine: MockState) -> [EventItem] {
    if let claims = reader.claims, !engine.isValid(claims) {
      end = .tokenExpired
      return []
    }
    var items: [EventItem] = []
    var isMore = true
    while items.isEmpty, isMore {
      var found: [(offset: Int, cursor: Int)] = []
      var last = history.last
      for (index, cursor) in cursors.enumerated() {
        let key = cursor.topic.key
        guard history.count(key, after: cursor.offset) > 0 || history.lastDropped(key) > cursor.offset,
          reader.mayRead(cursor.topic, in: engine)
        else { continue }
        if history.lastDropped(key) > cursor.offset {
          end = .tooSlow
          return items
        }
        let offsets = history.offsets(key, after: cursor.offset, limit: Self.batch.count)
        // The next events of a long list come before later events of the others.
        if offsets.count == Self.batch.count, let latest = offsets.last { last = min(last, latest) }
        found += offsets.map { ($0, index) }
      }
      if let limit, hasMore(than: limit, in: history, engine) {
        end = .tooSlow
        return items
      }
      if cursors.count > 1 { found.sort { $0.offset < $1.offset } }
      (items, last) = visible(found, upTo: last, in: &history, engine)
      isMore = last < history.last
      for index in cursors.indices { cursors[index].offset = max(cursors[index].offset, last) }
    }
    return items
  }

  /// Returns those of the events that the reader may see, and the last offset that was considered.
  private func visible(
    _ found: [(offset: Int, cursor: Int)], upTo end: Int, in history: inout EventHistory, _ engine: MockState
  ) -> (items: [EventItem], end: Int) {
    var items: [EventItem] = []
    var (bytes, considered, lastTaken) = (0, 0, 0)
    var known: (subject: EventSubject, isVisible: Bool)?
    for (offset, cursor) in found where offset <= end {
      if offset != considered {
        if considered > 0, items.count >= Self.batch.count || bytes >= Self.batch.bytes { return (items, considered) }
        considered = offset
      }
      let (stored, topic) = (history.stored(offset), cursors[cursor].topic)
      guard offset != lastTaken, topic.includes(stored.pending, in: engine) else { continue }
      if !reader.viewer.seesAll {
        let subject = stored.pending.subject(isMine: topic.isMine)
        if known?.subject != subject { known = (subject, reader.sees(subject, in: engine)) }
        guard known?.isVisible == true else { continue }
      }
      lastTaken = offset
      let event = history.logged(offset)
      bytes += event.serverSentEvent.count
      items.append(.event(event))
    }
    return (items, end)
  }

  /// Whether more visible events than the limit are waiting. An event of several topics counts once.
  private func hasMore(than limit: Int, in history: EventHistory, _ engine: MockState) -> Bool {
    var waiting: Set<Int> = []
    for cursor in cursors where reader.mayRead(cursor.topic, in: engine) {
      for offset in history.offsets(cursor.topic.key, after: cursor.offset, limit: .max)
      where reader.sees(history.pending(offset), in: cursor.topic, engine) {
        waiting.insert(offset)
        if waiting.count > limit { return true }
      }
    }
    return false
  }
}

import NovaCore
package import NovaEvents

/// An event of a change, before it has a position.
struct PendingEvent: Sendable {
  var event: Event
  /// The lists that it belongs to, each once.
  let keys: [MockTopic]
  /// Who may see it, except in their topic `me`; nil for all who may read the topic.
  let audience: Audience?
  /// The number of the post that it is about. Those who may no longer see the post don't get the event.
  let post: Int32?
  /// The users whose feeds have it; nil for all who follow the actor.
  let feeds: Set<ExactText>?

  /// - Parameter keys: the lists that it belongs to, in any number.
  init(
    _ event: Event, keys: [MockTopic], audience: Audience? = nil, post: Int32? = nil, feeds: Set<ExactText>? = nil
  ) {
    var distinct: [MockTopic] = []
    for key in keys where !distinct.contains(key) { distinct.append(key) }
    (self.event, self.keys, self.audience, self.post, self.feeds) = (event, distinct, audience, post, feeds)
  }
}

extension PendingEvent {
  fileprivate var topics: [String] {
    guard let feeds else { return keys.map(\.description) }
    return feeds.map(\.wrappedValue).sorted().map { "feed:\($0)" } + keys.filter { $0 != .newPosts }.map(\.description)
  }
}

/// An event with its position, encoded once for all subscribers. A class, so that they share it.
package final class LoggedEvent: Sendable {
  package let event: Event
  /// The event as a server-sent event, with the empty line after it.
  package let serverSentEvent: [UInt8]
  /// The topics that have it, as the inspector names them.
  let topics: [String]
  private let jsonRange: Range<Int>

  /// The event as one line of JSON.
  package var json: ArraySlice<UInt8> { serverSentEvent[jsonRange] }

  init(_ pending: PendingEvent) {
    (event, topics) = (pending.event, pending.topics)
    let json = (try? event.jsonUTF8(EventRPC.streamEvents.descriptor.http.json(includesDefaults: true))) ?? []
    var bytes = Array("id: \(event.id)\nevent: \(event.type)\ndata: ".utf8)
    jsonRange = bytes.count..<bytes.count + json.count
    bytes += json
    bytes += [UInt8(ascii: "\n"), UInt8(ascii: "\n")]
    serverSentEvent = bytes
  }
}

/// The latest events, in order, and in lists by key, so that a reader finds its next events without reading the others.
struct EventHistory: Sendable {
  /// The maximum size of all events in memory; the oldest events are dropped first.
  static let maximumBytes = 32 << 20

  /// A class, because an event has a dozen fields, and every subscriber to it looks at it.
  final class StoredEvent: Sendable {
    let pending: PendingEvent
    let size: Int

    init(_ pending: PendingEvent) { (self.pending, size) = (pending, pending.storedSize) }
  }

  private struct Entry: Sendable {
    let stored: StoredEvent
    /// Nil until a subscriber reads it.
    var logged: LoggedEvent?
  }

  /// The offsets of the events with a key.
  private struct List: Sendable {
    var offsets = Queue<Int>()
    /// The last event that is no longer stored; 0 for none.
    var lastDropped = 0
    /// The subscribers that are woken for an event.
    var watchers: Set<Int> = []
  }

  let epoch: String
  /// The maximum number of events.
  var capacity: Int { didSet { dropOldest() } }
  private var entries = Queue<Entry>()
  private var lists: [MockTopic: List] = [:]
  private var bytes = 0
  /// The offset of the last event; 0 before the first.
  private(set) var last = 0

  init(epoch: String, capacity: Int) { (self.epoch, self.capacity) = (epoch, capacity) }

  /// The offset of the oldest stored event; one more than ``last`` without one.
  var first: Int { last - entries.count + 1 }

  func position(_ offset: Int) -> EventPosition { EventPosition(epoch: epoch, offset: offset) }

  var position: EventPosition { position(last) }

  /// Whether all events after a position are stored.
  func isComplete(after position: EventPosition) -> Bool {
    position.epoch == epoch && (first - 1...last).contains(position.offset)
  }

  mutating func append(_ pending: PendingEvent) {
    last += 1
    var pending = pending
    pending.event.id = position.description
    let stored = StoredEvent(pending)
    entries.append(Entry(stored: stored))
    bytes += stored.size
    for key in pending.keys { lists[key, default: List()].offsets.append(last) }
    dropOldest()
  }

  private mutating func dropOldest() {
    while entries.count > capacity || bytes > Self.maximumBytes, let entry = entries.popFirst() {
      bytes -= entry.stored.size
      let offset = first - 1
      for key in entry.stored.pending.keys {
        _ = lists[key]?.offsets.popFirst()
        lists[key]?.lastDropped = offset
        removeIfUnused(key)
      }
    }
  }

  // MARK: Reading

  /// The last event with a key that is no longer stored; 0 if that is unknown, because no subscriber watches the key.
  func lastDropped(_ key: MockTopic) -> Int { key == .all ? first - 1 : lists[key]?.lastDropped ?? 0 }

  /// The number of stored events with a key after an offset.
  func count(_ key: MockTopic, after offset: Int) -> Int {
    guard key != .all else { return max(0, last - max(offset, first - 1)) }
    guard let offsets = lists[key]?.offsets else { return 0 }
    return offsets.count - (0..<offsets.count).partition { offsets[$0] <= offset }
  }

  /// The offsets of the next events with a key after an offset.
  func offsets(_ key: MockTopic, after offset: Int, limit: Int) -> [Int] {
    // Clients can send any offset.
    guard key != .all else { return Array((min(max(offset, first - 1), last) + 1..<last + 1).prefix(limit)) }
    guard let offsets = lists[key]?.offsets else { return [] }
    let start = (0..<offsets.count).partition { offsets[$0] <= offset }
    return (start..<offsets.count).prefix(limit).map { offsets[$0] }
  }

  func stored(_ offset: Int) -> StoredEvent { entries[offset - first].stored }

  func pending(_ offset: Int) -> PendingEvent { stored(offset).pending }

  /// Returns an event in the form that subscribers receive.
  mutating func logged(_ offset: Int) -> LoggedEvent {
    let index = offset - first
    if let logged = entries[index].logged { return logged }
    let logged = LoggedEvent(entries[index].stored.pending)
    entries[index].logged = logged
    return logged
  }

  // MARK: Subscribers

  func watchers(of key: MockTopic) -> Set<Int> { lists[key]?.watchers ?? [] }

  mutating func watch(_ key: MockTopic, by subscriber: Int) {
    lists[key, default: List()].watchers.insert(subscriber)
  }

  mutating func unwatch(_ key: MockTopic, by subscriber: Int) {
    lists[key]?.watchers.remove(subscriber)
    removeIfUnused(key)
  }

  private mutating func removeIfUnused(_ key: MockTopic) {
    if let list = lists[key], list.offsets.isEmpty, list.watchers.isEmpty { lists[key] = nil }
  }
}

extension PendingEvent {
  /// The approximate size in memory, with its lists, encoded and not, in bytes.
  fileprivate var storedSize: Int {
    let optional = [event.postId, event.commentId, event.uploadId, event.text].compactMap(\.self)
    let texts = [event.type, event.actorId, event.subjectId] + optional
    let counts = event.counts.keys.reduce(0) { $0 + $1.utf8.count + 64 }
    let lists = keys.map(\.description) + (feeds ?? []).map(\.wrappedValue)
    return 512 + 2 * texts.reduce(counts) { $0 + $1.utf8.count } + lists.reduce(0) { $0 + $1.utf8.count + 64 }
  }
}

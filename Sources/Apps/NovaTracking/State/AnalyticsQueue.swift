import NovaAnalytics
import NovaCore

/// Events in memory, oldest first, limited in number and size.
struct AnalyticsQueue: Sendable {
  private let maximumCount: Int
  private let maximumBytes: Int
  private var events = Queue<TrackedEvent>()
  private(set) var byteCount = 0

  init(maximumCount: Int, maximumBytes: Int) {
    self.maximumCount = maximumCount
    self.maximumBytes = maximumBytes
  }

  var count: Int { events.count }
  var isEmpty: Bool { events.isEmpty }
  /// The events, oldest first.
  var all: some Collection<TrackedEvent> { events.all }

  /// Adds an event, and drops the oldest ones beyond the limits.
  ///
  /// - Returns: the number of dropped events.
  mutating func append(_ event: TrackedEvent) -> Int {
    events.append(event)
    byteCount += event.event.approximateSize
    var dropped = 0
    while count > maximumCount || byteCount > maximumBytes, let oldest = events.popFirst() {
      byteCount -= oldest.event.approximateSize
      dropped += 1
    }
    return dropped
  }

  /// Removes and returns all events.
  mutating func removeAll() -> [TrackedEvent] {
    defer { (events, byteCount) = (Queue(), 0) }
    return Array(all)
  }

  /// Removes the events with these sequence numbers.
  mutating func remove(_ sequences: Set<Int64>) {
    let kept = all.filter { !sequences.contains($0.event.sequence) }
    events = Queue(kept)
    byteCount = kept.reduce(0) { $0 + $1.event.approximateSize }
  }

  /// Changes every event. The change must keep each event's approximate size.
  mutating func update(_ body: (inout TrackedEvent) -> Void) { events.update(body) }
}

extension AnalyticsEvent {
  /// The approximate size in bytes as JSON. Ignores what is added after the event was tracked.
  var approximateSize: Int {
    properties.reduce(300 + name.utf8.count) { $0 + 6 + $1.key.utf8.count + $1.value.utf8.count }
  }
}

/// How many events wait, and their bytes.
struct WaitingSize: Sendable, Equatable {
  var count = 0
  var bytes = 0

  /// Adds an event of this size.
  mutating func add(_ bytes: Int) { add(WaitingSize(count: 1, bytes: bytes)) }

  mutating func add(_ size: WaitingSize) {
    count += size.count
    bytes += size.bytes
  }
}

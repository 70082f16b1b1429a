import NovaAnalytics

/// Events in memory, oldest first, within bounds.
struct EventQueue: Sendable {
  private let maximumCount: Int
  private let maximumBytes: Int
  private var events: [TrackedEvent] = []
  /// The events before it are dropped.
  private var start = 0
  private(set) var byteCount = 0

  init(maximumCount: Int, maximumBytes: Int) {
    self.maximumCount = maximumCount
    self.maximumBytes = maximumBytes
  }

  var count: Int { events.count - start }
  var isEmpty: Bool { count == 0 }
  /// The events, oldest first.
  var all: ArraySlice<TrackedEvent> { events[start...] }

  /// Adds an event, and drops the oldest ones beyond the bounds.
  ///
  /// - Returns: how many were dropped.
  mutating func append(_ event: TrackedEvent) -> Int {
    events.append(event)
    byteCount += event.event.approximateSize
    var dropped = 0
    while count > maximumCount || byteCount > maximumBytes, !isEmpty {
      removeFirst()
      dropped += 1
    }
    return dropped
  }

  /// Takes all events out.
  mutating func removeAll() -> [TrackedEvent] {
    let all = start == 0 ? events : Array(self.all)
    events = []
    start = 0
    byteCount = 0
    return all
  }

  /// Removes the events with these sequence numbers.
  mutating func remove(_ sequences: Set<Int64>) {
    let kept = all.filter { !sequences.contains($0.event.sequence) }
    events = kept
    start = 0
    byteCount = kept.reduce(0) { $0 + $1.event.approximateSize }
  }

  /// Changes every event. The sizes are those of before.
  mutating func update(_ body: (inout TrackedEvent) -> Void) {
    for index in events.indices.dropFirst(start) { body(&events[index]) }
  }

  /// Moves the rest only after half of the array was dropped, so that a full queue takes amortized constant time.
  private mutating func removeFirst() {
    byteCount -= events[start].event.approximateSize
    events[start] = TrackedEvent(event: AnalyticsEvent())
    start += 1
    if start > events.count / 2 {
      events.removeFirst(start)
      start = 0
    }
  }
}

extension AnalyticsEvent {
  /// The size in bytes as JSON, about. Does not depend on what is added after the event was tracked.
  var approximateSize: Int {
    properties.reduce(300 + name.utf8.count) { $0 + 6 + $1.key.utf8.count + $1.value.utf8.count }
  }
}

import NovaAnalytics
import NovaCore

/// The recorded analytics events: the ids of all, because each counts once, and the newest events themselves.
///
/// Beyond `maximumCount` events or `maximumBytes`, the oldest events are dropped; their ids stay.
struct AnalyticsStore: Sendable {
  static let maximumCount = 10_000
  static let maximumBytes = 16 << 20

  private var ids: Set<String> = []
  /// The stored events from `start` on, oldest first; earlier ones are dropped.
  private var stored: [AnalyticsEvent] = []
  private var start = 0
  private var bytes = 0

  /// The number of events that were ever recorded.
  var count: Int { ids.count }

  /// The stored events, oldest first.
  var events: ArraySlice<AnalyticsEvent> { stored[start...] }

  /// Records an event; returns false if one with its id was recorded before.
  mutating func record(_ event: AnalyticsEvent) -> Bool {
    guard ids.add(event.id.byteKey) else { return false }
    stored.append(event)
    bytes += event.storedSize
    while stored.count - start > Self.maximumCount || bytes > Self.maximumBytes { dropOldest() }
    return true
  }

  /// Moves the rest only after half of the array was dropped, so that recording takes amortized constant time.
  private mutating func dropOldest() {
    bytes -= stored[start].storedSize
    stored[start] = AnalyticsEvent()
    start += 1
    if start > stored.count / 2 {
      stored.removeFirst(start)
      start = 0
    }
  }
}

extension AnalyticsEvent {
  /// The approximate size in memory, in bytes.
  fileprivate var storedSize: Int {
    let texts = [id, name, userId ?? "", anonymousId, sessionId].reduce(0) { $0 + $1.utf8.count }
    return properties.reduce(128 + texts) { $0 + 32 + $1.key.utf8.count + $1.value.utf8.count }
  }
}

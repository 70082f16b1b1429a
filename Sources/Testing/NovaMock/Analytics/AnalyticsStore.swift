import NovaAnalytics
import NovaCore

/// The recorded analytics events: the ids of all, because each counts once, and the newest events themselves.
///
/// Beyond `maximumCount` events or `maximumBytes`, the oldest events are dropped; their ids stay.
struct AnalyticsStore: Sendable {
  static let maximumCount = 10_000
  static let maximumBytes = 16 << 20

  private var ids: Set<String> = []
  private var stored = Queue<AnalyticsEvent>()
  private var bytes = 0

  /// The number of events that were ever recorded.
  var count: Int { ids.count }

  /// The stored events, oldest first.
  var events: some BidirectionalCollection<AnalyticsEvent> { stored.all }

  /// Records an event; returns false if one with its id was recorded before.
  mutating func record(_ event: AnalyticsEvent) -> Bool {
    guard ids.add(event.id.byteKey) else { return false }
    stored.append(event)
    bytes += event.storedSize
    while stored.count > Self.maximumCount || bytes > Self.maximumBytes, let oldest = stored.popFirst() {
      bytes -= oldest.storedSize
    }
    return true
  }
}

extension AnalyticsEvent {
  /// The approximate size in memory, in bytes.
  fileprivate var storedSize: Int {
    let texts = [id, name, userId ?? "", anonymousId, sessionId].reduce(0) { $0 + $1.utf8.count }
    return properties.reduce(128 + texts) { $0 + 32 + $1.key.utf8.count + $1.value.utf8.count }
  }
}

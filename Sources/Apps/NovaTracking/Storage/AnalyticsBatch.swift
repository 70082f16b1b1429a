import NovaAnalytics

/// Events to send with one request.
struct AnalyticsBatch: Sendable {
  var events: [AnalyticsEvent] = []
  /// The sequence numbers of the events, and of unreadable ones.
  var sequences: [Int64] = []
  /// Whether the events come from the database.
  var isStored = false
  /// The number of events that the gateway cannot have seen yet.
  var newCount = 0
  /// The number of events in the database that cannot be read.
  var unreadableCount = 0
  /// The number of unreadable events before the batch that were removed, because no readable event was left to send.
  var lostCount = 0

  /// The unreadable events, as losses.
  var losses: TrackingCounts {
    var counts = TrackingCounts()
    counts.addLost(.storage, unreadableCount)
    return counts
  }
}

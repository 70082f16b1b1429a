/// What a subscriber receives.
package enum EventItem: Sendable {
  case event(LoggedEvent)
  /// Nothing has happened for a while.
  case alive(EventPlace)
  /// The last item.
  case end(MockEventEnd)
}

/// Up to where a subscriber has everything that its topics have.
package struct EventPlace: Sendable {
  package let position: String
  let cursors: [EventLog.Subscriber.Cursor]
  let revision: Int

  /// The topics as they are sent.
  package var topics: [String] { cursors.map(\.topic.text) }
}

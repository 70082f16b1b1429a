package import NovaCore
import NovaEvents

/// One reader of a backend's events, on any transport. One task at a time may call ``next()``; the other calls may come
/// from any task.
///
/// ```swift
/// let subscription = try backend.subscription(headers: request.headers)
/// _ = try subscription.subscribe(to: ["post:post-1"], after: "")
/// while let items = try await subscription.next() { … }
/// ```
package final class EventSubscriber: Sendable {
  private let backend: MockBackend
  private let reader: EventReader
  private let id: Int

  init(_ backend: MockBackend, _ reader: EventReader, clock: any CallClock) {
    (self.backend, self.reader) = (backend, reader)
    id = backend.events.add(reader, clock: clock)
  }

  deinit { backend.events.remove(id) }

  /// Adds topics. A topic that was already added starts over after the position.
  ///
  /// - Parameter position: the position to resume after; empty for now.
  /// - Returns: the position after which events follow, and whether those between `position` and it are gone.
  /// - Throws: ``MockFailure`` for an unknown or private topic; then no topic is added.
  @discardableResult
  package func subscribe(
    to topics: [String], after position: String
  ) throws(MockFailure) -> (position: String, isReset: Bool) {
    try subscribe(to: try [MockTopic](topics, caller: reader.user), after: position)
  }

  func subscribe(
    to topics: [MockTopic], after position: String
  ) throws(MockFailure) -> (position: String, isReset: Bool) {
    let (start, signal) = try backend.withEngine { engine throws(MockFailure) in
      for topic in topics {
        if let refusal = reader.refusal(of: topic, in: engine.state) { throw refusal }
      }
      guard backend.events.topicCount(id, with: topics) <= EventTopic.maximumCount else {
        throw .invalid("a subscription takes at most \(EventTopic.maximumCount) topics")
      }
      return backend.events.subscribe(id, to: topics, after: position)
    }
    signal?.wake()
    return start
  }

  /// Removes topics.
  ///
  /// - Throws: ``MockFailure`` for a malformed topic.
  package func unsubscribe(from topics: [String]) throws(MockFailure) {
    backend.events.unsubscribe(id, from: try [MockTopic](topics, caller: reader.user))
  }

  /// Whether the topics are still those of a heartbeat. After a change, the heartbeat does not cover the added topics.
  package func isCurrent(_ place: EventPlace) -> Bool { backend.events.isCurrent(place, of: id) }

  /// Returns the next items, and waits for them; nil after ``EventItem/end(_:)``.
  ///
  /// - Throws: `CancellationError`.
  package func next() async throws -> [EventItem]? {
    while true {
      try Task.checkCancellation()
      let items = backend.withEngine { engine in backend.events.take(id, engine.state) }
      if !items.isEmpty { return items }
      if backend.events.isEnded(id) { return nil }
      await backend.events.wait(id)
    }
  }
}

extension MockBackend {
  /// Creates a subscription for the user of a request's access token.
  ///
  /// - Parameters:
  ///   - headers: those of the request.
  ///   - clock: the clock of heartbeats. Default: the system's.
  /// - Throws: ``MockFailure`` if the token is invalid, or missing though the backend requires tokens.
  package func subscription(
    headers: HTTPHeaders, clock: any CallClock = ContinuousClock()
  ) throws(MockFailure) -> EventSubscriber {
    EventSubscriber(self, try eventReader(headers), clock: clock)
  }
}

/// What a subscriber receives.
package enum EventItem: Sendable {
  case event(LoggedEvent)
  /// Nothing has happened for a while.
  case alive(EventPlace)
  /// The last item.
  case end(MockEventEnd)
}

/// A subscriber's topics, and the position up to which it has all their events.
package struct EventPlace: Sendable {
  package let position: String
  let cursors: [SubscriberState.Cursor]
  let revision: Int

  /// The topics as they are sent.
  package var topics: [String] { cursors.map(\.topic.text) }
}

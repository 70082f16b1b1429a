package import NovaCore
import NovaEvents

/// Why a backend refuses a subscription.
package struct EventRefusal: Error {
  /// The name of the gRPC status, for example `PERMISSION_DENIED`.
  package let code: String
  package let message: String
  /// The refusal as the response to a request.
  package let response: HTTPResponse

  init(_ failure: MockFailure) {
    (code, message, response) = ("\(failure.status)", failure.message, failure.response)
  }
}

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
  /// - Throws: ``EventRefusal`` for an unknown or private topic; then no topic is added.
  @discardableResult
  package func subscribe(
    to topics: [String], after position: String
  ) throws(EventRefusal) -> (position: String, isReset: Bool) {
    do {
      return try subscribe(to: try [MockTopic](topics, caller: reader.user), after: position)
    } catch {
      throw EventRefusal(error)
    }
  }

  func subscribe(
    to topics: [MockTopic], after position: String
  ) throws(MockFailure) -> (position: String, isReset: Bool) {
    do {
      let (start, waiters) = try backend.withEngine { engine in
        for topic in topics {
          if let refusal = reader.refusal(of: topic, in: engine.state) { throw refusal }
        }
        guard backend.events.topicCount(id, with: topics) <= EventTopic.maximumCount else {
          throw MockFailure(.invalidArgument, "a subscription takes at most \(EventTopic.maximumCount) topics")
        }
        return backend.events.subscribe(id, to: topics, after: position)
      }
      backend.resume(waiters)
      return start
    } catch {
      throw error as? MockFailure ?? MockFailure(.internalError, "\(error)")
    }
  }

  /// Removes topics.
  ///
  /// - Throws: ``EventRefusal`` for a topic that has none of the forms.
  package func unsubscribe(from topics: [String]) throws(EventRefusal) {
    do {
      backend.events.unsubscribe(id, from: try [MockTopic](topics, caller: reader.user))
    } catch {
      throw EventRefusal(error)
    }
  }

  /// The position now.
  package var position: String { backend.events.position }

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
  /// - Throws: ``EventRefusal`` if the token is invalid, or missing though the backend requires tokens.
  package func subscription(
    headers: HTTPHeaders, clock: any CallClock = ContinuousClock()
  ) throws(EventRefusal) -> EventSubscriber {
    do {
      return EventSubscriber(self, try eventReader(headers), clock: clock)
    } catch {
      throw EventRefusal(error)
    }
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

/// Up to where a subscriber has everything that its topics have.
package struct EventPlace: Sendable {
  package let position: String
  let cursors: [EventLog.Subscriber.Cursor]
  let revision: Int

  /// The topics as they are sent.
  package var topics: [String] { cursors.map(\.topic.text) }
}

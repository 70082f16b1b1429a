package import NovaCore

/// A way to receive events: over server-sent events, or over WebSocket.
package protocol EventConnector: Sendable {
  /// Connects, and returns when the gateway has accepted the topics.
  ///
  /// - Parameter position: the position to resume behind; never empty, so that no event is lost before the first.
  /// - Throws: ``APIError``.
  func connect(to topics: [EventTopic], after position: String) async throws -> any EventConnection
}

/// One open connection. It ends when nobody refers to it any more.
package protocol EventConnection: AnyObject, Sendable {
  /// Whether an open connection takes other topics. Without that, another connection takes its place.
  var changesTopics: Bool { get }
  /// Whether the gateway sends signs of life, so that a longer silence means that something is wrong.
  var sendsHeartbeats: Bool { get }

  /// Reads the connection until it ends, no faster than `receive` returns. Called once.
  ///
  /// - Throws: ``APIError``, when the connection has ended in a failure; `CancellationError`, at once when the task is
  ///   cancelled, which ends the connection.
  func read(_ receive: @Sendable (EventMessage) async throws -> Void) async throws

  /// Adds topics, from a position on. ``EventMessage/subscribed(_:position:)`` confirms it.
  func subscribe(to topics: [EventTopic], after position: String) async throws

  /// Removes topics.
  func unsubscribe(from topics: [EventTopic]) async throws

  /// Asks for a sign of life, if the connection can do that.
  func ping() async throws
}

extension EventConnection {
  package var changesTopics: Bool { false }
  package var sendsHeartbeats: Bool { true }
  package func subscribe(to topics: [EventTopic], after position: String) async throws {}
  package func unsubscribe(from topics: [EventTopic]) async throws {}
  package func ping() async throws {}
}

/// What a connection delivers.
package enum EventMessage: Sendable {
  case event(Event)
  /// The gateway no longer has the events behind the position that the topics (nil: all) were to resume behind; they continue
  /// behind this position.
  case reset([EventTopic]?, position: String)
  /// An event that cannot be read: it is as good as lost, and would come again after each reconnection.
  case unreadable(position: String)
  /// What comes next is too large to be read: the connection cannot continue after its position.
  case tooLarge
  /// Topics were added; or, with a position, everything about these topics before it was delivered.
  case subscribed([EventTopic], position: String)
  /// The position now, without an event.
  case position(String)
  /// How long to wait before connecting again.
  case retry(Duration)
  /// The connection is alive.
  case alive
  /// The gateway refuses a request on the connection, which stays open.
  case refused(APIError)
  /// The gateway ends the connection on purpose.
  case end(EventEnd)
}

/// Why the gateway ends a connection.
package struct EventEnd: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package static let tokenExpired = EventEnd(rawValue: "token_expired")
  package static let restart = EventEnd(rawValue: "restart")
  package static let tooSlow = EventEnd(rawValue: "too_slow")
}

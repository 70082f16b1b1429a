package import NovaCore

/// Opens connections that deliver events: over server-sent events, or over WebSocket.
package protocol EventConnector: Sendable {
  /// Connects, and returns when the gateway has accepted the topics.
  ///
  /// - Parameter position: the position to continue after. Never empty: without a position, an event between this call
  ///   and the first delivered one could be lost.
  /// - Throws: ``APIError``.
  func connect(to topics: [EventTopic], after position: String) async throws -> any EventConnection
}

/// One open connection. It closes when the last reference to it is released.
package protocol EventConnection: AnyObject, Sendable {
  /// Whether the topics of the open connection can change. If not, other topics require another connection.
  var changesTopics: Bool { get }
  /// Whether the gateway sends heartbeats. If so, a long silence means that the connection is lost.
  var sendsHeartbeats: Bool { get }

  /// Reads the connection until it ends, and waits for `receive` after each message. Called once.
  ///
  /// - Throws: ``APIError`` if the connection has failed; `CancellationError` as soon as the task is cancelled, which
  ///   ends the connection.
  func read(_ receive: @Sendable (EventMessage) async throws -> Void) async throws

  /// Adds topics, whose events start after a position. ``EventMessage/subscribed(_:position:)`` confirms it.
  func subscribe(to topics: [EventTopic], after position: String) async throws

  /// Removes topics.
  func unsubscribe(from topics: [EventTopic]) async throws

  /// Asks the gateway for a sign of life, if the connection supports that.
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
  /// The gateway no longer has the events after the position at which these topics (nil: all) should continue. They
  /// continue after this position instead.
  case reset([EventTopic]?, position: String)
  /// An unreadable event. The event is lost: another connection would deliver it in the same form.
  case unreadable(position: String)
  /// The next message is too large to read. The connection cannot continue after its position.
  case tooLarge
  /// The gateway has added topics; or, with a position, has delivered everything about these topics before it.
  case subscribed([EventTopic], position: String)
  /// The current position, without an event.
  case position(String)
  /// How long to wait before connecting again.
  case retry(Duration)
  /// The connection is alive.
  case alive
  /// The gateway refuses a request on the connection, which stays open.
  case refused(APIError)
  /// The gateway is ending the connection on purpose.
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

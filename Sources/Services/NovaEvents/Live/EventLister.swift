package import NovaCore

/// Lists events with one caller's requests.
struct EventLister: Sendable {
  /// The maximum number of events in a page: as many as an inbox can queue.
  private static let pageSize = EventInbox.capacity

  let service: EventService
  let identity: Identity

  /// The current position.
  ///
  /// - Throws: ``APIError``, also if the topics are not allowed.
  func now(_ topics: Set<EventTopic>) async throws -> String {
    let position = try await list(topics, after: "", limit: 1).nextAfter
    guard !position.isEmpty else {
      throw APIError.notEvents(
        "a list of events without a position to begin at", rpc: EventRPC.listEvents.descriptor.id)
    }
    return position
  }

  /// A page of events after a position, which must not be empty.
  func page(_ topics: Set<EventTopic>, after position: String) async throws -> ListEventsResponse {
    var page: ListEventsResponse
    do { page = try await list(topics, after: position, limit: Self.pageSize) } catch let error as APIError
      where error.code == .decodingError
    {
      // An unreadable event is a gap, because another request would get it in the same form.
      return ListEventsResponse(nextAfter: try await now(topics), isComplete: false)
    }
    // Without a next position, the same page would be requested forever.
    if page.nextAfter.isEmpty { page.nextAfter = page.events.last?.id ?? position }
    if page.hasMore, page.nextAfter == position { page.hasMore = false }
    return page
  }

  private func list(_ topics: Set<EventTopic>, after: String, limit: Int) async throws -> ListEventsResponse {
    let topics = topics.sorted().map(\.rawValue)
    let page = try await service.listEvents(ListEventsRequest(topics: topics, after: after, limit: limit))
    await note(page.events)
    return page
  }

  /// Passes the caller's events to the client's store, if it receives events.
  func note(_ events: [Event]) async {
    guard !events.isEmpty, let receiver = service.client.store as? any EventReceiver else { return }
    await receiver.received(events, for: identity)
  }

  /// Why requests would no longer be this caller's; nil if they still are, as far as the client can tell.
  var callerChange: APIError? {
    get async { await service.client.callerChange(from: identity, with: service.options) }
  }
}

extension APIError {
  /// Whether trying again later may succeed. A server that is not a Nova gateway will not become one.
  var isPassing: Bool {
    !isOfAnotherServer
      && ![
        .unauthorized, .permissionDenied, .invalidArgument, .notFound, .failedPrecondition, .unimplemented, .cancelled,
        .invalidURL, .insecureConnection, .decodingError,
      ].contains(code)
  }

  /// Whether trying again later may succeed once the gateway has been reached. Then another server, such as a captive
  /// portal, or a maintenance page, may only be in its place for a while.
  var isPassingForGateway: Bool { isOfAnotherServer || isPassing }

  /// Whether a server that is not a gateway has responded. A gateway never redirects in a circle, or to a refused URL.
  var isOfAnotherServer: Bool { isFromAnotherServer || transport?.kind == .redirectRefused }

  /// Whether nothing arrived in time on an open connection.
  var isSilence: Bool {
    code == .timeout && httpStatus == nil && [nil, .idleTimeout, .totalTimeout].contains(transport?.kind)
  }

  /// The error for a response of a server that is not a Nova gateway, or of a gateway without events.
  package static func notEvents(_ found: String, rpc: String) -> APIError {
    var error = APIError(
      .invalidResponse, "not a Nova gateway", reason: "expected a stream of events (text/event-stream), got \(found)",
      rpc: rpc)
    error.isFromAnotherServer = true
    return error
  }

  static var disconnected: APIError {
    APIError(
      .failedPrecondition, "disconnected", reason: "the client no longer receives events",
      advice: "create another client")
  }
}

/// A client's store that is updated by events, such as NovaOffline's.
package protocol EventReceiver: CallStore {
  /// Called with live and listed events before subscriptions deliver them. An event can be passed more than once, and
  /// events that are listed later can be older.
  ///
  /// - Parameters:
  ///   - events: the events.
  ///   - identity: the caller that has received them. Other callers must not see them.
  func received(_ events: [Event], for identity: Identity) async
}

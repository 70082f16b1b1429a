package import NovaCore

/// Asks the gateway what has happened, as one caller.
struct EventLister: Sendable {
  /// The largest page: what an inbox holds.
  private static let pageSize = EventInbox.capacity

  let service: EventService
  let identity: Identity

  /// The position now.
  ///
  /// - Throws: ``APIError``, also when the topics are not allowed.
  func now(_ topics: Set<EventTopic>) async throws -> String {
    let position = try await list(topics, after: "", limit: 1).nextAfter
    guard !position.isEmpty else {
      throw APIError.notEvents(
        "a list of events without a position to begin at", rpc: EventRPC.listEvents.descriptor.id)
    }
    return position
  }

  /// A page of events behind a position, which is never empty.
  func page(_ topics: Set<EventTopic>, after position: String) async throws -> ListEventsResponse {
    var page: ListEventsResponse
    do { page = try await list(topics, after: position, limit: Self.pageSize) } catch let error as APIError
      where error.code == .decodingError
    {
      // An event that cannot be read is a gap: listed again, it would be the same.
      return ListEventsResponse(nextAfter: try await now(topics), isComplete: false)
    }
    // A page that leads nowhere would be asked for again and again.
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

  /// Passes the caller's events on to the client's store, if it wants them.
  func note(_ events: [Event]) async {
    guard !events.isEmpty, let receiver = service.client.store as? any EventReceiver else { return }
    await receiver.received(events, for: identity)
  }

  /// Why requests are no longer this caller's; nil if they are, as far as that is known here.
  var callerChange: APIError? {
    get async { await service.client.callerChange(from: identity, with: service.options) }
  }
}

extension APIError {
  /// Whether asking again, later, may succeed. What is not a Nova gateway does not become one.
  var isPassing: Bool {
    !isOfAnotherServer
      && ![
        .unauthorized, .permissionDenied, .invalidArgument, .notFound, .failedPrecondition, .unimplemented, .cancelled,
        .invalidURL, .insecureConnection, .decodingError,
      ].contains(code)
  }

  /// The same once the gateway was there: for a while, something else can answer in its place, such as a captive portal, or
  /// a page that says that it is being maintained.
  var isPassingForGateway: Bool { isOfAnotherServer || isPassing }

  /// Whether something that is no gateway has answered. A gateway redirects neither for ever, nor to what no client may ask.
  var isOfAnotherServer: Bool { isFromAnotherServer || transport?.kind == .redirectRefused }

  /// Whether nothing came in time, although there was a connection.
  var isSilence: Bool {
    code == .timeout && httpStatus == nil && [nil, .idleTimeout, .totalTimeout].contains(transport?.kind)
  }

  /// The answer of something that is not a Nova gateway, or of one without events.
  package static func notEvents(_ found: String, rpc: String) -> APIError {
    var error = APIError(
      .invalidResponse, "not a Nova gateway: expected a stream of events (text/event-stream), got \(found)", rpc: rpc)
    error.isFromAnotherServer = true
    return error
  }

  static var disconnected: APIError {
    APIError(.failedPrecondition, "disconnected: the client no longer receives events; create another client")
  }
}

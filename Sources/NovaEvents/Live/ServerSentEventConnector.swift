import NovaCore

/// Receives events over `GET /stream`.
struct ServerSentEventConnector: EventConnector {
  let client: APIClient
  let options: CallOptions

  func connect(to topics: [EventTopic], after position: String) async throws -> any EventConnection {
    var options = options
    // The subscription connects again by itself, with a wait of its own.
    options.retry = .standard(attempts: 1)
    // A gateway sends a sign of life by then, so something may hold the response back.
    let longest = StreamControl.longestSilence
    options.timeout = min(
      options.timeout ?? client.configuration.timeout(for: EventRPC.streamEvents.descriptor), longest)
    let request = StreamEventsRequest(topics: topics.map(\.rawValue), after: position)
    let response = try await client.open(
      EventRPC.streamEvents.descriptor, request,
      headers: ["Last-Event-ID": position, "Cache-Control": "no-cache"], options: options)
    // By WHATWG's standard, this status asks not to come back.
    if response.status == 204 {
      throw APIError(
        .failedPrecondition, "the gateway has no events: it answered with status 204",
        rpc: EventRPC.streamEvents.descriptor.id)
    }
    if response.isStreamOfJSON {
      return JSONEventConnection(events: client.messages(of: response, EventRPC.streamEvents))
    }
    guard response.headers.isEventStream else {
      throw APIError.notEvents(
        response.headers["Content-Type"]?.printable(to: 60) ?? "no content type",
        rpc: EventRPC.streamEvents.descriptor.id)
    }
    return ServerSentEventConnection(body: response.value, position: position)
  }
}

final class ServerSentEventConnection: EventConnection {
  private let body: HTTPBody
  private let position: String

  init(body: HTTPBody, position: String) {
    self.body = body
    self.position = position
  }

  func read(_ receive: @Sendable (EventMessage) async throws -> Void) async throws {
    do { try await readItems(receive) } catch ServerSentEventError.tooLarge { try await receive(.tooLarge) }
  }

  private func readItems(_ receive: @Sendable (EventMessage) async throws -> Void) async throws {
    for try await item in ServerSentEvents(body, lastID: position) {
      try Task.checkCancellation()
      switch item {
      case .comment: try await receive(.alive)
      case .retry(let wait): try await receive(.retry(wait))
      // There is no going on behind an empty position: the one before it remains.
      case .id(""): try await receive(.alive)
      case .id(let position): try await receive(.position(position))
      case .event(let event):
        let message = message(event)
        try await receive(message)
        // What follows is nothing that anybody waits for.
        if case .end = message { return }
      }
    }
  }

  private func message(_ event: ServerSentEvent) -> EventMessage {
    let data = Array(event.data.utf8)
    switch StreamControl(rawValue: event.type) {
    case .end:
      let reason = (try? JSONValue(jsonUTF8: data))?["reason"]?.stringValue
      return .end(EventEnd(rawValue: reason ?? ""))
    case .reset: return .reset(nil, position: (try? Event(jsonUTF8: data))?.id ?? event.id)
    case nil:
      guard var content = try? Event(jsonUTF8: data) else { return .unreadable(position: event.id) }
      if content.id.isEmpty { content.id = event.id }
      return .event(content)
    }
  }
}

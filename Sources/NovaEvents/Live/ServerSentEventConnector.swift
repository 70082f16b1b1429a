package import NovaCore

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
    if response.isStreamOfJSON { return JSONEventConnection(response) }
    guard response.headers.isEventStream else {
      let rpc = EventRPC.streamEvents.descriptor
      let type = response.headers["Content-Type"].map { response.masked($0, of: rpc).printable(to: 60) }
      throw APIError.notEvents(type ?? "no content type", rpc: rpc.id)
    }
    return ServerSentEventConnection(response, position: position)
  }
}

extension APIResponse {
  /// An error that quotes what the gateway sent with this response, or on its stream, without secrets.
  func masked(_ error: APIError) -> APIError { masked(error, of: EventRPC.streamEvents.descriptor) }
}

package final class ServerSentEventConnection: EventConnection {
  /// The names of events that are heartbeats, whatever they contain.
  private static let heartbeats: Set = ["ping", "pong", "heartbeat", "keepalive", "keep-alive", "keep_alive"]

  private let response: APIResponse<HTTPBody>
  private let position: String

  init(_ response: APIResponse<HTTPBody>, position: String) {
    self.response = response
    self.position = position
  }

  package func read(_ receive: @Sendable (EventMessage) async throws -> Void) async throws {
    do { try await readItems(receive) } catch ServerSentEventError.tooLarge {
      try await receive(.tooLarge)
    } catch let error as APIError {
      throw response.masked(error)
    }
  }

  private func readItems(_ receive: @Sendable (EventMessage) async throws -> Void) async throws {
    var parser = ServerSentEventParser(lastID: position)
    var (opening, hasItems) = (StreamOpening(), false)
    for try await chunk in response.value {
      opening.add(chunk)
      for item in try parser.parse(chunk) {
        try Task.checkCancellation()
        hasItems = true
        guard try await deliver(item, to: receive) else { return }
      }
    }
    if !hasItems, let kind = opening.otherKind {
      throw APIError.notEvents("\(kind) that is labelled as one", rpc: EventRPC.streamEvents.descriptor.id)
    }
  }

  /// - Returns: whether anything follows that anybody waits for.
  private func deliver(
    _ item: ServerSentEventItem, to receive: @Sendable (EventMessage) async throws -> Void
  ) async throws -> Bool {
    switch item {
    case .comment: try await receive(.alive)
    case .retry(let wait): try await receive(.retry(wait))
    // Nothing can continue after an empty position: the one before it remains.
    case .id(""): try await receive(.alive)
    case .id(let position): try await receive(.position(position))
    case .event(let event):
      let message = try Self.message(event, status: response.status)
      try await receive(message)
      if case .end = message { return false }
    }
    return true
  }

  private static func message(_ event: ServerSentEvent, status: Int) throws -> EventMessage {
    let data = Array(event.data.utf8)
    switch StreamControl(rawValue: event.type) {
    case .end:
      let reason = (try? JSONValue(jsonUTF8: data))?["reason"]?.stringValue
      return .end(EventEnd(rawValue: reason ?? ""))
    case .reset: return .reset(nil, position: (try? Event(jsonUTF8: data))?.id ?? event.id)
    case nil: return try content(event, status: status)
    }
  }

  /// What an event is that is not about the stream itself. It is repeated only if it has an id itself: the last one holds for
  /// those behind it, too.
  ///
  /// - Parameter status: that of the response.
  /// - Throws: ``APIError`` if it reports a failure, or is no gateway's.
  package static func content(_ event: ServerSentEvent, status: Int) throws(APIError) -> EventMessage {
    let position = event.ownID ?? ""
    let heartbeat: EventMessage = position.isEmpty ? .alive : .position(position)
    let text = event.data.trimmingPrefix(while: \.isWhitespace)
    let name = event.type.lowercased()
    if heartbeats.contains(name) || name != "error" && (text.isEmpty || text.hasPrefix("[DONE]")) {
      return heartbeat
    }
    guard text.first == "{" else {
      if name == "error" { throw StreamedEvent.failure(String(text), status: status) }
      return position.isEmpty ? .alive : .unreadable(position: position)
    }
    let type = ["message", "error"].contains(name) ? nil : event.type
    switch try StreamedEvent(Array(text.utf8), named: type, status: status) {
    case .event(var content):
      if content.id.isEmpty { content.id = position }
      return .event(content)
    case .nothing where name == "error", .unreadable where name == "error":
      throw StreamedEvent.failure(String(text), status: status)
    case .unreadable: return .unreadable(position: position)
    case .nothing(let isEmpty): return isEmpty ? heartbeat : .alive
    }
  }
}

/// The first bytes of a body that should be server-sent events.
package struct StreamOpening {
  private var bytes: [UInt8] = []

  package init() {}

  package mutating func add(_ chunk: [UInt8]) {
    if bytes.isEmpty { bytes = Array(chunk.drop { $0 <= UInt8(ascii: " ") }.prefix(1)) }
  }

  /// What begins like this; nil if it may be server-sent events, or nothing.
  package var otherKind: String? {
    switch bytes.first {
    case UInt8(ascii: "<"): "a page"
    case UInt8(ascii: "{"), UInt8(ascii: "["): "JSON"
    default: nil
    }
  }
}

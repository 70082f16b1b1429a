package import NovaCore

/// Receives events over `GET /stream`, or over gRPC.
struct ServerSentEventConnector: EventConnector {
  let client: APIClient
  let options: CallOptions

  func connect(to topics: [EventTopic], after position: String) async throws -> any EventConnection {
    var options = options
    // The subscription itself decides when to connect again.
    options.retry = .standard(attempts: 1)
    // A gateway sends a sign of life within this time. If none arrives, a proxy may be holding back the response.
    let longest = StreamControl.longestSilence
    options.timeout = min(
      options.timeout ?? client.configuration.timeout(for: EventRPC.streamEvents.descriptor), longest)
    let request = StreamEventsRequest(topics: topics.map(\.rawValue), after: position)
    let response = try await client.open(
      EventRPC.streamEvents.descriptor, request,
      headers: ["Last-Event-ID": position, "Cache-Control": "no-cache"], options: options)
    // In the WHATWG standard, this status asks the client not to reconnect.
    if response.status == 204 {
      throw APIError(
        .failedPrecondition, "the gateway has no events", reason: "it answered with status 204",
        rpc: EventRPC.streamEvents.descriptor.id)
    }
    #if GRPC
      if response.headers.isGRPC { return GRPCEventConnection(response, of: client) }
    #endif
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
  /// The error with secrets masked in what it quotes from this response or its stream.
  func masked(_ error: APIError) -> APIError { masked(error, of: EventRPC.streamEvents.descriptor) }
}

package final class ServerSentEventConnection: EventConnection {
  /// The names of events that are heartbeats, regardless of their content.
  static let heartbeats: Set = ["ping", "pong", "heartbeat", "keepalive", "keep-alive", "keep_alive"]

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

  /// - Returns: whether to continue reading.
  private func deliver(
    _ item: ServerSentEventItem, to receive: @Sendable (EventMessage) async throws -> Void
  ) async throws -> Bool {
    switch item {
    case .comment: try await receive(.alive)
    case .retry(let wait): try await receive(.retry(wait))
    // A subscription cannot continue after an empty position, so the earlier one remains.
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

  /// The message of an event that is not about the stream itself. Its position is the event's own ID: in the standard,
  /// the last ID also applies to later events without an ID, but those are not repetitions of one event.
  ///
  /// - Parameter status: the status of the response.
  /// - Throws: ``APIError`` if the event reports a failure, or is not from a gateway.
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

  /// What the body seems to be; nil if it may be server-sent events, or is empty.
  package var otherKind: String? {
    switch bytes.first {
    case UInt8(ascii: "<"): "a page"
    case UInt8(ascii: "{"), UInt8(ascii: "["): "JSON"
    default: nil
    }
  }
}

import NovaCore

/// Receives events as the elements of a list, or as lines, of JSON: gateways without server-sent events, such as Envoy's
/// transcoder by default, send them so. Nothing tells such a gateway's silence from that of a lost connection.
final class JSONEventConnection: EventConnection {
  private let events: ServerStream<Event>

  init(events: ServerStream<Event>) { self.events = events }

  func read(_ receive: @Sendable (EventMessage) async throws -> Void) async throws {
    do {
      for try await event in events {
        try Task.checkCancellation()
        guard !event.id.isEmpty else {
          throw APIError.notEvents("JSON without the id of an event", rpc: EventRPC.streamEvents.descriptor.id)
        }
        try await receive(.event(event))
      }
    } catch let error as APIError where error.code == .decodingError {
      // It cannot be used, and would come again after the last position.
      try await receive(.tooLarge)
    }
  }
}

extension APIResponse<HTTPBody> {
  /// Whether the body is a stream of JSON: a body of a known length is something else.
  var isStreamOfJSON: Bool {
    guard value.length == nil, let type = headers["Content-Type"]?.prefix(while: { $0 != ";" }).lowercased() else {
      return false
    }
    let name = type.filter { $0 != " " && $0 != "\t" }
    return ["application/json", "application/x-ndjson", "application/jsonl", "application/json-seq"].contains(name)
  }
}

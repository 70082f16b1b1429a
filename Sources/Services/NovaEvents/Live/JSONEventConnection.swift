import NovaCore

/// Receives events as elements of a JSON list, or as lines of JSON. Gateways without server-sent events send them in
/// this form, for example Envoy's transcoder by default. A silent gateway cannot be distinguished from a lost
/// connection.
final class JSONEventConnection: EventConnection {
  private let response: APIResponse<HTTPBody>

  init(_ response: APIResponse<HTTPBody>) { self.response = response }

  var sendsHeartbeats: Bool { false }

  func read(_ receive: @Sendable (EventMessage) async throws -> Void) async throws {
    do { try await readValues(receive) } catch is ServerSentEventError {
      try await receive(.tooLarge)
    } catch is ProtoJSONError {
      // The event is unusable, and another connection would deliver it again.
      try await receive(.tooLarge)
    } catch let error as APIError {
      throw response.masked(error)
    }
  }

  private func readValues(_ receive: @Sendable (EventMessage) async throws -> Void) async throws {
    var values = JSONValues(response.value)
    var (hasEvents, isStream) = (false, response.value.length == nil)
    while let value = try await values.next() {
      try Task.checkCancellation()
      guard value.first == UInt8(ascii: "{") else {
        guard hasEvents else { throw Self.foreign(value.first == UInt8(ascii: "<") ? "a page" : "text") }
        return try await receive(.tooLarge)
      }
      // The connection was lost in the middle of the value.
      guard value.last == UInt8(ascii: "}") else { return }
      switch try StreamedEvent(value, status: response.status) {
      case .event(let event):
        hasEvents = true
        try await receive(.event(event))
      case .unreadable: try await receive(.tooLarge)
      case .nothing where !hasEvents && !Self.isEnveloped(value):
        throw Self.foreign("JSON without the id or the type of an event")
      case .nothing:
        isStream = true
        try await receive(.alive)
      }
    }
    guard hasEvents || isStream else { throw Self.foreign("JSON without an event") }
  }

  /// Whether the value is a message in an envelope. If the message is empty, it is a heartbeat.
  private static func isEnveloped(_ value: [UInt8]) -> Bool {
    (try? JSONValue(jsonUTF8: value))?["result"]?.memberList != nil
  }

  private static func foreign(_ found: String) -> APIError {
    APIError.notEvents(found, rpc: EventRPC.streamEvents.descriptor.id)
  }
}

extension APIResponse<HTTPBody> {
  /// Whether the body may be a stream of JSON. If its length is known, it ends after the events that exist now.
  var isStreamOfJSON: Bool {
    value.length != 0
      && ["application/json", "application/x-ndjson", "application/jsonl", "application/json-seq"]
        .contains(headers.contentTypeName)
  }
}

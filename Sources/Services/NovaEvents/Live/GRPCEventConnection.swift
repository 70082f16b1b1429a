#if GRPC
  import NovaCore

  /// Receives events as messages of gRPC.
  ///
  /// Every message is an `Event`. One without a type, or of the type `heartbeat`, is a sign of life with the position; one
  /// of the type `reset` says that the events up to its position are gone; one of the type `end` why the stream ends.
  final class GRPCEventConnection: EventConnection {
    private let response: APIResponse<HTTPBody>
    private let events: ServerStream<Event>

    init(_ response: APIResponse<HTTPBody>, of client: APIClient) {
      self.response = response
      events = client.messages(of: response, EventRPC.streamEvents)
    }

    /// Servers other than the mock may be silent while nothing happens.
    var sendsHeartbeats: Bool { false }

    func read(_ receive: @Sendable (EventMessage) async throws -> Void) async throws {
      do {
        for try await event in events {
          try Task.checkCancellation()
          try await receive(Self.message(event))
        }
      } catch let error as APIError {
        throw response.masked(error)
      }
    }

    private static func message(_ event: Event) -> EventMessage {
      if event.type == StreamControl.reset.rawValue { return .reset(nil, position: event.id) }
      if event.type == StreamControl.end.rawValue { return .end(EventEnd(rawValue: event.text ?? "")) }
      let isHeartbeat = event.type.isEmpty || ServerSentEventConnection.heartbeats.contains(event.type)
      if !isHeartbeat { return .event(event) }
      return event.id.isEmpty ? .alive : .position(event.id)
    }
  }
#endif

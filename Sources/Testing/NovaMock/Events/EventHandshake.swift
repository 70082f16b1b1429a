package import NovaCore
import NovaEvents

/// The result of a request for events over a WebSocket connection.
package enum EventHandshake: Sendable {
  case refused(HTTPResponse)
  /// The connection has the fault, if there is one.
  case accepted(EventSubscriber, StreamFault?)
}

extension MockBackend {
  /// Responds to the WebSocket handshake for events: applies the faults of StreamEvents, and logs the handshake.
  ///
  /// - Parameters:
  ///   - request: the handshake. Its limits end waits and hanging calls.
  ///   - clock: the clock for waits and heartbeats. Default: the system's.
  /// - Throws: ``TransportError`` if a fault prevents a response; `CancellationError`.
  package func answerEventHandshake(
    _ request: HTTPRequest, clock: any CallClock = ContinuousClock()
  ) async throws -> EventHandshake {
    let path = EventRPC.streamEvents.descriptor.http.path
    var handshake: EventHandshake?
    let response = try await faulted(IncomingCall(request, routedAs: path, clock: clock)) { call in
      do throws(MockFailure) {
        let subscriber = try subscription(headers: call.request.headers, clock: clock)
        handshake = .accepted(subscriber, call.fault.outcome.ofSocket)
        return HTTPResponse(status: 101)
      } catch {
        return error.response
      }
    }
    return handshake ?? .refused(response)
  }
}

package import NovaCore
import NovaEvents

/// The result of a request for events over a WebSocket connection.
package enum EventHandshake: Sendable {
  case refused(HTTPResponse)
  /// The connection has the fault, if there is one, and its events have the bandwidth.
  case accepted(EventSubscriber, StreamFault?, EventBandwidth)
}

/// The bandwidth of the events of a connection.
package struct EventBandwidth: Sendable {
  let lines: [BandwidthLine]
  let clock: any CallClock

  /// Waits until an event has arrived.
  package func send(_ text: String) async throws {
    guard !lines.isEmpty else { return }
    try await clock.sleep(until: lines.send(text.utf8.count, at: clock.moment).instant, tolerance: nil)
  }
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
        let bandwidth = EventBandwidth(lines: call.fault.limits.compactMap(\.down), clock: clock)
        handshake = .accepted(subscriber, call.fault.outcome.ofSocket, bandwidth)
        return HTTPResponse(status: 101)
      } catch {
        return error.response
      }
    }
    return handshake ?? .refused(response)
  }
}

public import NovaCore

/// A transport that sends calls to a ``MockBackend`` instead of the network. It opens no socket.
///
/// The backend's ``MockBackend/faults`` appear as they would over a network: a late response, a lost connection, or a
/// call that hangs until it times out.
public struct MockTransport: HTTPTransport, MockingTransport {
  /// The backend.
  public let backend: MockBackend
  private let clock: any CallClock

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - backend: the backend. Default: a new one.
  ///   - clock: the clock for waits of faults. Default: the system's.
  public init(_ backend: MockBackend = MockBackend(), clock: any CallClock = ContinuousClock()) {
    self.backend = backend
    self.clock = clock
  }

  package var isMock: Bool { true }

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    var response = try await backend.answer(request, clock: clock)
    if request.streamsResponse { return response }
    let limit = request.limits.maximumResponseBytes
    do {
      let body = response.body
      if body.bytes != nil { return response }
      if response.isEventStream {
        let timeUp = TransportError(
          .totalTimeout, "the response did not end within \(request.limits.totalTimeout)", requestMayHaveLeft: true)
        response.body = try await Race.run(
          until: clock.now.advanced(by: request.limits.totalTimeout), clock, timeUp: timeUp
        ) { try await body.collected(upTo: limit) }
      } else {
        response.body = try await body.collected(upTo: limit)
      }
    } catch HTTPBodyError.tooLarge {
      throw TransportError(
        .responseTooLarge, "the response is larger than \(limit) bytes", requestMayHaveLeft: true)
    }
    return response
  }
}

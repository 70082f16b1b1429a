public import NovaCore

/// A transport that sends calls to a ``MockBackend`` instead of the network. It opens no socket.
///
/// The backend's ``MockBackend/faults`` appear as they would over a network: a late response, a lost connection, or a
/// call that hangs until it times out.
public struct MockTransport: HTTPTransport {
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

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    return try await backend.answer(request, clock: clock)
  }
}

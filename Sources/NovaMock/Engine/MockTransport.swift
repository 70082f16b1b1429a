public import NovaCore

/// Brings calls to a ``MockBackend`` in place of a network: no socket is opened, everything else is real.
///
/// The backend's ``MockBackend/faults`` look as they would over a network: an answer that is late, a connection that is
/// lost, a call that hangs until its time is up.
public struct MockTransport: HTTPTransport {
  /// The backend.
  public let backend: MockBackend
  private let clock: any CallClock

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - backend: what answers. Default: one of its own.
  ///   - clock: what the waits of faults go by. Default: the system's.
  public init(_ backend: MockBackend = MockBackend(), clock: any CallClock = ContinuousClock()) {
    self.backend = backend
    self.clock = clock
  }

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    var request = request
    request.body = try await request.body.collected(upTo: MockBackend.largestBody)
    return try await backend.answer(request, clock: clock)
  }
}

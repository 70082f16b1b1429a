public import NovaCore

/// Brings calls to a ``MockBackend`` in place of a network: no socket is opened, everything else is real.
public struct MockTransport: HTTPTransport {
  /// The backend.
  public let backend: MockBackend

  /// Creates a transport.
  public init(_ backend: MockBackend = MockBackend()) { self.backend = backend }

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    return backend.respond(to: request)
  }
}

package import NovaCore

extension MockBackend {
  /// Notes a request that a server has refused before it became a call, so that the inspector shows it. It is not counted
  /// as a call, and its body is not stored.
  ///
  /// - Parameters:
  ///   - request: the request as it was received.
  ///   - protocolName: `HTTP` or `gRPC`.
  ///   - failure: why it was refused.
  package func noteRefusal(of request: HTTPRequest, over protocolName: String, _ failure: MockFailure) {
    guard log.withLock({ $0.takesRefusals }) else { return }
    log.record(LoggedRequest(refused: request, over: protocolName, failure))
  }
}

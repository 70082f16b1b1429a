extension APIClient {
  /// Finds out whether the gateway answers: requests the head of its base URL, without a token and past the middlewares.
  ///
  /// - Parameter timeout: how long to wait for the answer.
  /// - Returns: once there is a response, whatever its status.
  /// - Throws: ``TransportError`` if there is none.
  package func reach(timeout: Duration) async throws {
    try gate.enter()
    defer { gate.leave() }
    var limits = configuration.limits
    limits.totalTimeout = min(timeout, limits.totalTimeout)
    let request = HTTPRequest(method: .head, url: configuration.baseURL, limits: limits)
    _ = try await runner.steps.transport.send(request)
  }
}

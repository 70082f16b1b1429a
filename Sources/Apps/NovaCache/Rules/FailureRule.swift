import NovaCore

/// What an error of a request means for the cache, and for other callers that wait for the response.
enum FailureRule {
  private static let disconnections: Set<TransportError.Kind> = [
    .nameResolution, .connectionRefused, .connectionFailed, .connectTimeout, .connectionLost, .idleTimeout,
    .circuitOpen, .offline,
  ]
  /// Failures caused by a caller's own limits or client.
  private static let ofOneCaller: Set<TransportError.Kind> = [.totalTimeout, .responseTooLarge, .shutDown]

  /// Whether the server was not reached, or did not respond.
  static func isDisconnection(_ error: any Error) -> Bool {
    transport(error).map { disconnections.contains($0.kind) } ?? false
  }

  /// The status of the server's response; nil if the server did not cause the failure.
  static func status(_ error: any Error) -> Int? {
    transport(error) == nil ? (error as? APIError)?.httpStatus : nil
  }

  /// Whether the server no longer has the response for this caller. Then the stored one must not be used, not even
  /// offline.
  static func isRefusal(_ error: any Error) -> Bool { status(error).map { [403, 404, 410].contains($0) } ?? false }

  /// Whether the server sent, with a success status, something that cannot be the response. It then counts as failed.
  static func isUnusable(_ error: any Error) -> Bool {
    guard let error = error as? APIError, error.code == .invalidResponse else { return false }
    // A portal may redirect to a place that this client refuses.
    return transport(error).map { [.malformedResponse, .redirectRefused].contains($0.kind) } ?? true
  }

  /// Whether another caller's request could succeed: this one timed out, accepted fewer bytes, had its client shut
  /// down, or had its token refused.
  static func concernsOneCaller(_ error: any Error) -> Bool {
    if let transport = transport(error) { return ofOneCaller.contains(transport.kind) }
    return status(error).map { $0 == 401 } ?? true
  }

  private static func transport(_ error: any Error) -> TransportError? {
    error as? TransportError ?? (error as? APIError)?.transport
  }
}

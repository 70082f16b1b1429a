import NovaCore

/// What the error of a request means for the cache, and for others who wait for the response.
enum FailureRule {
  private static let disconnections: Set<TransportError.Kind> = [
    .nameResolution, .connectionRefused, .connectionFailed, .connectTimeout, .connectionLost, .idleTimeout,
    .circuitOpen, .offline,
  ]
  /// The failures that follow from a caller's own limits or client.
  private static let ofOneCaller: Set<TransportError.Kind> = [.totalTimeout, .responseTooLarge, .shutDown]

  /// Whether the server was not reached, or did not answer.
  static func isDisconnection(_ error: any Error) -> Bool {
    transport(error).map { disconnections.contains($0.kind) } ?? false
  }

  /// The status that the server answered with; nil if the failure was not its decision.
  static func status(_ error: any Error) -> Int? {
    transport(error) == nil ? (error as? APIError)?.httpStatus : nil
  }

  /// Whether the server no longer has the response for the caller: what is stored is not even good enough offline.
  static func isRefusal(_ error: any Error) -> Bool { status(error).map { [403, 404, 410].contains($0) } ?? false }

  /// Whether the server has sent, with success, what cannot be the response: it has failed without saying so.
  static func isUnusable(_ error: any Error) -> Bool {
    guard let error = error as? APIError, error.code == .invalidResponse else { return false }
    // A portal may lead to where no request of this client goes.
    return transport(error).map { [.malformedResponse, .redirectRefused].contains($0.kind) } ?? true
  }

  /// Whether the same request of another caller could succeed: this one's time was up, it accepted fewer bytes, its client
  /// was shut down, or its token was refused.
  static func concernsOneCaller(_ error: any Error) -> Bool {
    if let transport = transport(error) { return ofOneCaller.contains(transport.kind) }
    return status(error).map { $0 == 401 } ?? true
  }

  private static func transport(_ error: any Error) -> TransportError? {
    error as? TransportError ?? (error as? APIError)?.transport
  }
}

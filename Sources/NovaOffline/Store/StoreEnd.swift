import NovaCore

extension APIError {
  /// What a store answers after its end: the same as a client that was shut down.
  static let shutDown: APIError = {
    let reason = "the client was shut down: nothing was sent"
    return APIError(.cancelled, reason, transport: TransportError(.shutDown, reason, requestMayHaveLeft: false))
  }()
}

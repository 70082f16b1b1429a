import NovaCore

extension APIError {
  /// What a store answers after its end, or after that of the client: the same as a client that was shut down.
  static let shutDown: APIError = {
    let reason = "the client was shut down: nothing was sent"
    return APIError(.cancelled, reason, transport: TransportError(.shutDown, reason, requestMayHaveLeft: false))
  }()

  /// The same for a call.
  static func shutDown(_ rpc: String?) -> APIError {
    var error = shutDown
    error.rpc = rpc
    return error
  }
}

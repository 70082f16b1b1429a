import NovaCore
import NovaSQLite

extension APIError {
  /// The error of a store after its end, or after that of the client: the same as that of a client that was shut down.
  static let shutDown = APIError(
    anyFailure: TransportError(.shutDown, "the client was shut down", sent: .nothing, requestMayHaveLeft: false))

  /// The same for a call.
  static func shutDown(_ rpc: String?) -> APIError {
    var error = shutDown
    error.rpc = rpc
    return error
  }
}

extension Error {
  /// Whether a database could not be used at all, for any statement.
  var isAboutTheFile: Bool {
    switch (self as? SQLiteError)?.kind {
    case .busy, .full, .readOnly, .cannotOpen, .missingLibrary: true
    default: self is APIError
    }
  }
}

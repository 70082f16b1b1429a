/// Checks of arguments before anything is sent, with errors that name the parameter, the limit and the value.
package enum Arguments {
  /// Refuses an empty id.
  package static func notEmpty(_ value: String, _ name: StaticString, _ rpc: RPCDescriptor) throws {
    guard value.isEmpty else { return }
    throw APIError(.invalidArgument, "\(name) must not be empty", rpc: rpc.id)
  }

  /// Refuses a negative number.
  package static func notNegative(_ value: Int, _ name: StaticString, _ rpc: RPCDescriptor) throws {
    guard value < 0 else { return }
    throw APIError(.invalidArgument, "\(name) must not be negative, but is \(value)", rpc: rpc.id)
  }

  /// Turns `success: false` into an error.
  package static func confirm(_ success: Bool, _ message: String, _ rpc: RPCDescriptor) throws {
    guard !success else { return }
    throw APIError(
      .failedPrecondition, "the server did not do it", rpc: rpc.id, httpStatus: 200,
      server: ServerError(message: message))
  }
}

extension APIError {
  /// Any failure on the way of a call, as the error that the caller gets.
  init(_ error: any Error, _ context: CallContext, _ attempts: [CallAttempt]) {
    switch error {
    case let error as APIError: self = error
    case let error as TransportError:
      self.init(.of(error.kind), error.message, transport: error)
    case is CancellationError: self.init(.cancelled, "the call was cancelled")
    case let error as ProtoJSONError:
      self.init(.invalidArgument, "the request does not fit the contract: \(error.withoutPosition)", decoding: error)
    default: self.init(.networkError, "the transport failed with \(type(of: error))")
    }
    rpc = context.rpc.id
    requestID = context.requestID
    self.attempts = attempts
  }
}

extension ProtoJSONError {
  /// For values that are written: there is no line to point to.
  fileprivate var withoutPosition: String { "\(path.isEmpty ? "" : "\(path): ")expected \(expected), found \(found)" }
}

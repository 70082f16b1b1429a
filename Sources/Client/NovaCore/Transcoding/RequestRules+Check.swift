extension RequestRules {
  /// Refuses a request that the server would refuse, before it is sent.
  ///
  /// A number that is 0 is absent: it is not sent, and the server chooses.
  ///
  /// - Throws: ``APIError`` `invalidArgument`.
  package static func check(_ request: some ProtoMessage, of rpc: RPCDescriptor? = nil) throws(APIError) {
    guard let (field, problem) = violation(in: request, optional: { _ in true }) else { return }
    throw APIError(invalid: field, problem, rpc: rpc?.id)
  }
}

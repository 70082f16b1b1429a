package import NovaCore

/// The facts in the answers of a read. Generated from `gateway.yaml`.
package struct ReadRule: Sendable {
  package let rpc: RPCDescriptor
  /// How long an answer is fresh.
  package let timeToLive: Duration
  /// Whether answers are stored as a whole, because they cannot be made of facts. The records in them are still facts.
  package let isRecorded: Bool
  /// Visits the facts of an answer; nil if the messages are of other types.
  package let visit:
    @Sendable (_ request: any ProtoMessage, _ response: any ProtoMessage, any Facts) throws -> (any ProtoMessage)?
  /// An answer to put facts into.
  package let newResponse: @Sendable () -> any ProtoMessage

  package init<Request, Response>(
    _ rpc: RPC<Request, Response>, timeToLive: Duration, isRecorded: Bool = false,
    _ visit: @escaping @Sendable (_ request: Request, _ response: inout Response, _ facts: any Facts) throws -> Void
  ) {
    self.rpc = rpc.descriptor
    self.timeToLive = timeToLive
    self.isRecorded = isRecorded
    newResponse = { Response() }
    self.visit = { request, response, facts in
      guard let request = request as? Request, var response = response as? Response else { return nil }
      try visit(request, &response, facts)
      return response
    }
  }
}

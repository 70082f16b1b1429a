import NovaCore

extension APIResponse<any ProtoMessage> {
  /// The message; nil if no body arrived, so that its fields state nothing.
  var stated: (any ProtoMessage)? { isBodyEmpty ? nil : value }
}

/// Whether an answer to a write says that it took effect. A server that has nothing to say has not confirmed anything.
enum WriteAnswer {
  /// What an answer with a success status lacks; nil if it is one that a direct call returns.
  ///
  /// - Parameter rule: the write's; nil if there is none.
  static func problem(_ answer: any ProtoMessage, _ rpc: RPCDescriptor, _ rule: WriteRule?) -> String? {
    // It says itself whether the write took effect.
    if answer is any AcknowledgedResponse { return nil }
    if let record = rpc.recordMissing(in: answer) { return "the response has no \(record)" }
    // Later writes name what this one has created.
    guard let created = rule?.created, CreatedRecord.id(in: answer, created) == nil else { return nil }
    return "the response has a \(created.descriptor.shortName) without an id"
  }
}

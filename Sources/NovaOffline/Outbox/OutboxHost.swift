package import NovaCore

/// What the outbox needs of the store that it belongs to. The outbox keeps it weakly.
package protocol OutboxHost: AnyObject, Sendable {
  /// Who is signed in now: the gateway and the user; nil for nobody. Must not ask the gateway.
  func account() async throws -> String?

  /// Sends a write to the gateway, whatever the store knows, and only while `account` is signed in.
  ///
  /// - Throws: ``APIError``; `unauthorized` if somebody else is signed in.
  func send(
    _ rpc: RPCDescriptor, _ request: any ProtoMessage, key: String, account: String
  ) async throws -> APIResponse<any ProtoMessage>

  /// Asks the gateway for the read of a check, whatever the store knows.
  func read(_ check: WriteCheck) async throws -> any ProtoMessage

  /// Applies a write that took effect to the stored facts of the entry's account, which need not be signed in any more.
  ///
  /// Called before the entry is deleted, and again for the same entry if the process ends in between. The entry is
  /// deleted even if this fails: a store that cannot keep the change must forget what it makes wrong.
  ///
  /// - Parameters:
  ///   - response: nil if a read showed that the write took effect.
  ///   - isRepeated: whether the gateway may have carried the write out at an earlier attempt.
  func confirmed(_ entry: OutboxEntry, _ response: (any ProtoMessage)?, isRepeated: Bool) async throws

  /// Called after the waiting writes have changed.
  func changed()
}

/// What became of a write that was put into the outbox.
package enum EnqueuedWrite: Sendable {
  /// It waits.
  case waiting(OutboxEntry)
  /// An equal write was there already, and stands for both.
  case joined(OutboxEntry)
  /// It and its opposite, which waited, cancel out: nothing is sent.
  case cancelledOut

  /// The entry that stands for the write; nil if it was cancelled out.
  package var entry: OutboxEntry? {
    switch self {
    case .waiting(let entry), .joined(let entry): entry
    case .cancelledOut: nil
    }
  }
}

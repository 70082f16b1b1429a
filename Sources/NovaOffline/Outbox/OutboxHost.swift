package import NovaCore

/// The caller of a client, or of some of its calls, with whose token entries are sent.
package protocol OutboxCaller: Sendable {
  /// What is known about the way to the gateway.
  var connectivity: Connectivity { get }
  /// Whether it is the client's own, and not one whose token comes with the calls.
  var isOwn: Bool { get }
  /// Whether an ``OutboxLoop`` sends for the caller in the background.
  var hasLoop: Bool { get }
  /// The longest wait that a gateway can ask for. Default: that of the configuration's defaults.
  var longestWait: Duration { get }
  /// Whose calls these are now, if that is known without waiting.
  var knownIdentity: Identity? { get }

  /// Whose calls these are now. Must not ask the gateway.
  func identity() async throws -> Identity

  /// Sends an entry to the gateway, whatever the store knows, and only as the identity that it belongs to.
  ///
  /// - Throws: ``APIError``; `unauthorized` if the caller is another one by now.
  func send(_ entry: OutboxEntry) async throws -> APIResponse<any ProtoMessage>

  /// Asks the gateway for the read of a check, whatever the store knows, and only as an identity.
  func read(_ check: WriteCheck, as identity: Identity) async throws -> any ProtoMessage
}

extension OutboxCaller {
  package var longestWait: Duration { APIConfiguration.builtIn.maximumRetryWait }
}

/// What the outbox needs of the store that it belongs to. The outbox keeps it weakly.
package protocol OutboxHost: AnyObject, Sendable {
  /// Applies a write that took effect to the stored facts of the entry's identity, which need not be signed in any more.
  ///
  /// Called before the entry is deleted, and again for the same entry if the process ends in between. The entry is
  /// deleted even if this fails: a store that cannot keep the change must forget what it makes wrong.
  ///
  /// - Parameters:
  ///   - response: nil if a read showed that the write took effect.
  ///   - isRepeated: whether the gateway may have carried the write out at an earlier attempt.
  func confirmed(_ entry: OutboxEntry, _ response: (any ProtoMessage)?, isRepeated: Bool) async throws

  /// Called after the waiting writes of an identity have changed; nil for those of any.
  func changed(_ identity: Identity?)
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

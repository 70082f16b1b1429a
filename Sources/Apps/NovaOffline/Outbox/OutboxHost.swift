package import NovaCore

/// The caller of a client, or of some of its calls. Entries are sent with its token.
package protocol OutboxCaller: Sendable {
  /// What is known about the way to the gateway.
  var connectivity: Connectivity { get }
  /// Whether it is the client's own caller. Otherwise, its token comes with the calls.
  var isOwn: Bool { get }
  /// Whether an ``OutboxLoop`` sends for the caller in the background.
  var hasLoop: Bool { get }
  /// The longest wait that a gateway can ask for. Default: that of the built-in configuration.
  var longestWait: Duration { get }
  /// Who makes the calls now, if that is known without waiting.
  var knownIdentity: Identity? { get }

  /// Finds out who makes the calls now. Must not ask the gateway.
  func identity() async throws -> Identity

  /// Sends an entry to the gateway, past the store, and only as the identity that it belongs to.
  ///
  /// - Throws: ``APIError``; `unauthorized` if another identity makes the calls by now.
  func send(_ entry: OutboxEntry) async throws -> SentWrite

  /// Sends the read of a check to the gateway, past the store, and only as an identity.
  func read(_ check: WriteCheck, as identity: Identity) async throws -> any ProtoMessage
}

extension OutboxCaller {
  package var longestWait: Duration { APIConfiguration.builtIn.maximumRetryWait }
}

/// An entry that the gateway has answered.
package struct SentWrite: Sendable {
  package let response: APIResponse<any ProtoMessage>
  /// What the store had when the entry was sent; nil if the answer confirms nothing.
  let start: RequestStart?

  /// Creates one without what the store had.
  package init(_ response: APIResponse<any ProtoMessage>) { self.init(response, start: nil) }

  init(_ response: APIResponse<any ProtoMessage>, start: RequestStart?) {
    self.response = response
    self.start = start
  }
}

/// The store that an outbox belongs to. The outbox keeps it weakly.
package protocol OutboxHost: AnyObject, Sendable {
  /// Applies a write that took effect to the stored facts of the entry's identity, which need not be signed in any more.
  ///
  /// Called before the entry is deleted, and again for the same entry if the process ends in between. The entry is
  /// deleted even if this fails: a store that cannot keep the change must forget the facts that it makes wrong.
  ///
  /// - Parameters:
  ///   - sent: the answer; nil if a read showed that the write took effect.
  ///   - isRepeated: whether the gateway may have carried the write out at an earlier attempt.
  func confirmed(_ entry: OutboxEntry, by sent: SentWrite?, isRepeated: Bool) async throws

  /// Called after the queued writes of an identity have changed; nil for those of any identity.
  func changed(_ identity: Identity?)
}

/// What became of a write that was put into the outbox.
package enum EnqueuedWrite: Sendable {
  /// The write waits.
  case waiting(OutboxEntry)
  /// An equal write waited already, and counts for both.
  case joined(OutboxEntry)
  /// The write and its opposite, which waited, cancel out: nothing is sent.
  case cancelledOut

  /// The entry of the write; nil if the write was cancelled out.
  package var entry: OutboxEntry? {
    switch self {
    case .waiting(let entry), .joined(let entry): entry
    case .cancelledOut: nil
    }
  }
}

/// What the outbox needs from outside.
package struct OutboxEnvironment: Sendable {
  /// The directory of `outbox.db` and `outbox.lock`; empty for an outbox without files.
  var directory: String
  /// Measures and waits.
  package var clock: any CallClock
  /// Returns the rule of an RPC by its id.
  var rule: @Sendable (String) -> WriteRule? = { OfflineRules.write($0) }
  /// Returns a new idempotency key.
  var makeKey: @Sendable () -> String = { RequestID.random() }
  /// Returns a number in 0..<1, for the jitter of waits.
  package var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
  /// Called at each step.
  var step: @Sendable (OutboxStep) -> Void = { _ in }
}

extension OutboxEnvironment {
  /// Creates the environment of an outbox without files.
  package init(
    clock: any CallClock, makeKey: @escaping @Sendable () -> String = { RequestID.random() },
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    step: @escaping @Sendable (OutboxStep) -> Void = { _ in }
  ) {
    self.init(directory: "", clock: clock, makeKey: makeKey, random: random, step: step)
  }
}

/// The points between which a process can end. Tests end it at each of them; see docs/offline-inside.md for what is on
/// the disk at each.
package enum OutboxStep: String, Sendable, CaseIterable {
  /// A write is about to be queued.
  case enqueueing
  /// The write is in the transaction, and not yet on the disk.
  case enqueued
  /// The write is on the disk, and its call has not returned.
  case kept
  /// An entry is about to be sent.
  case choosing
  /// The attempt is on the disk, and nothing was sent.
  case attempted
  /// The answer arrived.
  case answered
  /// The answer is stored as facts.
  case confirmed
  /// The entry is deleted in the transaction, and not yet on the disk.
  case finishing
  /// The deletion is on the disk.
  case finished
}

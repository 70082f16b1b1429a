import NovaCore

/// What the outbox needs from outside.
struct OutboxEnvironment: Sendable {
  /// The directory of `outbox.db` and `outbox.lock`.
  var directory: String
  /// Measures and waits.
  var clock: any CallClock
  /// Returns the rule of an RPC by its id.
  var rule: @Sendable (String) -> WriteRule? = { OfflineRules.write($0) }
  /// Returns a new idempotency key.
  var makeKey: @Sendable () -> String = { RequestID.random() }
  /// Returns a number in 0..<1, for the jitter of waits.
  var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
  /// Called at each step.
  var step: @Sendable (OutboxStep) -> Void = { _ in }
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

/// The moments between which a process can end; tests end it there.
package enum OutboxStep: String, Sendable, CaseIterable {
  /// A write is to be queued.
  case enqueueing
  /// It is written, and not yet on the disk.
  case enqueued
  /// It is on the disk, and its caller does not know yet.
  case kept
  /// An entry is to be sent.
  case choosing
  /// The attempt is on the disk.
  case attempted
  /// There is an answer.
  case answered
  /// The answer is applied.
  case confirmed
  /// The entry is deleted, and that is not yet on the disk.
  case finishing
  /// It is on the disk.
  case finished
}

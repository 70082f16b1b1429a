import NovaCore

/// Where a ``Delivery`` keeps what it does with an entry: a file, or a database that many programs share.
///
/// Each change is durable when its function returns, or has not happened. A change names the key of the entry it is meant
/// for: if the stored entry has another key by then, someone has edited it, and the change does nothing.
package protocol DeliveryStore: Sendable {
  /// Notes that an entry is about to be sent.
  ///
  /// - Parameter now: Unix seconds, for a store without a clock of its own.
  /// - Returns: the entry as it is now; nil if it is gone, has another key, or is no longer this program's to send.
  func noteAttempt(_ entry: OutboxEntry, now: Double) async throws -> OutboxEntry?

  /// Notes why an attempt failed, and when the next one is due.
  ///
  /// - Parameters:
  ///   - firstAttemptAt: nil if the gateway cannot have seen the entry.
  ///   - nextAttemptAt: Unix seconds; nil for as soon as possible.
  func noteFailure(
    _ failure: OutboxFailure, of entry: OutboxEntry, firstAttemptAt: Double?, nextAttemptAt: Double?
  ) async throws

  /// Gives an entry that never took effect a new key.
  ///
  /// - Returns: the entry with the new key; nil if it is gone or has yet another key.
  func replaceKey(of entry: OutboxEntry, by key: String) async throws -> OutboxEntry?

  /// Makes an entry a dead letter.
  func markDead(_ entry: OutboxEntry, _ failure: OutboxFailure) async throws

  /// Removes an entry that took effect, and gives the entries that are about what it creates the id that the gateway
  /// chose.
  ///
  /// - Parameters:
  ///   - realID: nil if that id is unknown; those entries are refused then.
  ///   - now: Unix seconds, for a store without a clock of its own.
  ///   - beforeCommit: called when everything is written, and not yet durable, by stores that can.
  func finish(
    _ entry: OutboxEntry, realID: String?, now: Double, beforeCommit: @escaping @Sendable () -> Void
  ) async throws
}

extension OutboxStore: DeliveryStore {
  func noteAttempt(_ entry: OutboxEntry, now: Double) throws -> OutboxEntry? {
    try use { try $0.noteAttempt(entry, now: now) }
  }

  func noteFailure(
    _ failure: OutboxFailure, of entry: OutboxEntry, firstAttemptAt: Double?, nextAttemptAt: Double?
  ) throws {
    try use { try $0.noteFailure(failure, of: entry, firstAttemptAt: firstAttemptAt, nextAttemptAt: nextAttemptAt) }
  }

  func replaceKey(of entry: OutboxEntry, by key: String) throws -> OutboxEntry? {
    try use { try $0.replaceKey(of: entry, by: key) }
  }

  func markDead(_ entry: OutboxEntry, _ failure: OutboxFailure) throws { try use { try $0.markDead(entry, failure) } }

  func finish(
    _ entry: OutboxEntry, realID: String?, now: Double, beforeCommit: @escaping @Sendable () -> Void
  ) throws {
    try use { try $0.finish(entry, realID: realID, now: now, beforeCommit: beforeCommit) }
  }
}

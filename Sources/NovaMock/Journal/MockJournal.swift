import NovaCore

/// A journal of a backend's changes, so that another process can replay them.
package protocol MockJournal: Sendable {
  /// Appends the line of a change before the change is made.
  ///
  /// - Returns: the position, for ``waitUntilDurable(_:)``.
  /// - Throws: an error if the line cannot be written; the change is then not made.
  func append(_ line: [UInt8]) throws -> Int64

  /// Returns once everything up to a position would survive a crash of the machine.
  ///
  /// - Throws: an error if durability cannot be confirmed.
  func waitUntilDurable(_ position: Int64) async throws

  /// Removes every change.
  ///
  /// - Throws: an error if removing failed; all changes are then still there.
  func removeAll() throws -> Int64
}

extension MockBackend {
  /// Writes every change to a journal from now on. Call ``replay(_:)`` with its old lines first.
  package func attach(_ journal: any MockJournal) { withEngine { $0.journal = journal } }

  /// Replays a change from a journal.
  ///
  /// - Throws: ``MockJournalError`` for an invalid line.
  package func replay(_ line: [UInt8]) throws(MockJournalError) {
    let change = try MockChange(line: line)
    // A change that failed before fails again, with the same effects.
    engine.withLock { engine in _ = try? engine.perform(change) }
  }
}

/// An invalid line of a journal.
package struct MockJournalError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

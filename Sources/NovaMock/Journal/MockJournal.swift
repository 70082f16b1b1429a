import NovaCore

/// Where a backend writes down what changes it, so that another process can make the same changes again.
package protocol MockJournal: Sendable {
  /// Takes the line of a change that is about to be made, in the order in which changes are made.
  ///
  /// - Returns: the place, for ``waitUntilDurable(_:)``.
  /// - Throws: when it cannot be written; then the change is not made.
  func append(_ line: [UInt8]) throws -> Int64

  /// Returns once everything up to this place would outlive the process and the machine.
  ///
  /// - Throws: when nobody can tell.
  func waitUntilDurable(_ position: Int64) async throws

  /// Forgets every change.
  ///
  /// - Throws: when that failed, and every change is still there.
  func removeAll() throws -> Int64
}

extension MockBackend {
  /// Writes every change to this journal from now on. Its old lines have been brought to ``replay(_:)`` before.
  package func attach(_ journal: any MockJournal) { withEngine { $0.journal = journal } }

  /// Makes a change that a journal kept.
  ///
  /// - Throws: ``MockJournalError`` for a line that says nothing this backend can do.
  package func replay(_ line: [UInt8]) throws(MockJournalError) {
    let change = try MockChange(line: line)
    // What failed then fails again, and that changes as little as it did then.
    engine.withLock { engine in _ = try? engine.perform(change) }
  }
}

/// Why a line of a journal cannot be used.
package struct MockJournalError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

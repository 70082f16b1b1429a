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
    try engine.withLock { engine throws(MockJournalError) in
      engine.state.mediaLimit = .max
      do {
        _ = try engine.perform(change)
      } catch let damage as MediaDamage {
        throw try engine.media.error(damage)
      } catch {
        // A change that failed before fails again, with the same effects.
      }
      // Replayed changes emit nothing: events have a new epoch at each start.
      engine.state.effects = MockEffects()
    }
  }

  /// Stores the bytes of uploads in a folder that outlives the process. Call it before ``replay(_:)``.
  package func use(_ folder: MediaFolder) { withEngine { $0.media = folder } }
}

/// An invalid line of a journal.
package struct MockJournalError: Error, CustomStringConvertible {
  package let description: String
  /// Whether the line is valid, but the bytes that it refers to are missing or have changed.
  package let isMediaDamage: Bool

  init(_ description: String, isMediaDamage: Bool = false) {
    self.description = description
    self.isMediaDamage = isMediaDamage
  }
}

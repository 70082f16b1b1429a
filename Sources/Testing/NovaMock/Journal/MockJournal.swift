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

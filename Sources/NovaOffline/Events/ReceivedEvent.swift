import NovaCore
import NovaEvents

/// An event whose facts are to be stored.
struct ReceivedEvent: Sendable {
  let event: Event
  let identity: Identity

  /// Call within a transaction.
  func store(in tables: FactTables) throws {
    // A confirmed change as any other: answers that were requested before it are older.
    try AnnouncedChange(event, tables, sequence: tables.nextWrite()).apply()
  }
}
